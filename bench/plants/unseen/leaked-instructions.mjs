// Unseen wordings: rules, templates and thoughts of the simulator that reach the dialogue.
import { inUserTurn, pick, userForms } from '../host.mjs';

const need = (host) => host.request.split('\n')[0].slice(0, 160);

const writers = {
  'qwen template': (_, __, text) => `<|im_end|>\n<|im_start|>user\n${text}<|im_end|>`,
  'llama header': (_, __, text) =>
    `<|start_header_id|>user<|end_header_id|>\n\n${text}<|eot_id|><|start_header_id|>assistant<|end_header_id|>`,
  'mistral inst': (_, __, text) => `[INST] ${text} [/INST]`,
  'gemma turn': (_, __, text) => `${text}<end_of_turn>\n<start_of_turn>model\n`,
  'llama 2 system': (_, __, text) =>
    `<<SYS>>\nYou are role-playing a customer. Keep each message short.\n<</SYS>>\n\n${text}`,
  'phi tokens': (_, __, text) => `${text}<|end|><|assistant|>`,
  'open thought': (_, __, text) =>
    `<think>\nOkay, the user wants me to act as the customer. I shouldn't give everything away at once. Let me write one short line.\n</think>\n\n${text}`,
  'thought without its opening': (_, __, text) =>
    `so I need to reply as the customer here and not reveal the hidden goal yet. I'll keep it to one or two sentences.\n</think>\n${text}`,
  'thought spoken': (host) =>
    `Okay, so I need to play the part of the user in this conversation. According to my instructions I should only share information when asked. A suitable reply would be: "${need(host)}"`,
  'note in brackets': (_, __, text) =>
    `${text}\n\n(Note: I kept this message short and did not reveal the full scenario, as instructed.)`,
  'rule about the stop token': (_, __, text) =>
    `${text}\n\nRemember: generate the '###STOP###' token only when the instruction goal is satisfied.`,
  'list of rules': () =>
    "Rules:\n- Just write one line at a time to simulate the user's message.\n- Do not give away all of the instruction at once.\n- Do not hallucinate information that is not in the instruction.\n- Stay in character.",
  'says it will simulate': (host) =>
    `Sure! I'll simulate the customer for this scenario. Here is my first message:\n\n"${need(host)}"`,
  'asks for the scenario': () =>
    "I'm ready to play the role of the user. Please provide the agent's next message and I will respond in character.",
  'stage direction of persona': (_, __, text) =>
    `[User persona: mildly impatient, low tech literacy, reveals details only when asked]\n${text}`,
  'field labels': (_, __, text) =>
    `Thought: The agent asked me something, I should answer it without revealing more.\nUser Response: ${text}`,
  'unfilled template': (_, random) =>
    pick(random, [
      'Hi, my name is {{user_name}} and I need help with {{task_description}}.',
      'You are {persona}. Your goal is: {goal}. Respond with the next user utterance only.',
      'Here is the conversation so far:\n\n{conversation_history}\n\nWrite the next user message:',
    ]),
  'prompt continued': (_, __, text) =>
    `### Instruction:\nContinue the dialogue as the customer.\n\n### Response:\n${text}`,
  'out of character': (_, __, text) =>
    `*stays in character as the customer*\n\n${text}\n\n[OOC: let me know if I should make the user more difficult in the next turn.]`,
  'as a simulator': () =>
    'As a user simulator, I do not have an account of my own, but based on the scenario I was given I would say that I would like to continue.',
  'speaks of the system prompt': (_, __, text) =>
    `${text} The system prompt says I must not mention that I am an AI, so I will continue as a regular customer.`,
  'reward told': () =>
    'The user should now show growing frustration, so that the agent is tested on de-escalation. Score so far: 0. Next user turn:',
  'harmony channels': (_, __, text) =>
    `analysisWe need to respond as the user. Keep it brief, do not reveal the goal.assistantfinal${text}`,
};

export const leakedInstructions = {
  kind: 'leaked instructions',
  expect: 'drop',
  forms: [
    ...userForms(writers),
    inUserTurn(
      'first: begins with its role',
      (_, __, text) =>
        `You are a user interacting with an agent. Generate the first user message.\n\n${text}`,
      { where: 'first' },
    ),
    inUserTurn(
      'last: checks its goal',
      (_, __, text) =>
        `${text}\n\nSince the goal of the scenario has been reached, I will now output the termination token to end the simulation.`,
      { where: 'last' },
    ),
  ],
};
