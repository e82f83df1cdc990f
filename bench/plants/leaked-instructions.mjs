// Prompt machinery that the other side should never see.
import { userForms } from './host.mjs';

export const leakedInstructions = {
  kind: 'leaked instructions',
  expect: 'drop',
  forms: [
    ...userForms({
      'the whole role': () =>
        "You are a user interacting with an agent. Rules:\n- Just generate one line at a time to simulate the user's message.\n- Do not give away all the instruction at once.",
      'rule list': (_host, _random, text) =>
        `${text}\n\nRules:\n- Do not hallucinate information that is not provided in the instruction.\n- If the instruction goal is satisfied, generate '###STOP###' as a standalone message.`,
      'as instructed': () =>
        'As instructed, I will not reveal all of the information at once and will wait for the agent to ask.',
      'chat template': (_host, _random, text) =>
        `<|im_end|>\n<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant`,
      'instruction tags': (_host, _random, text) =>
        `[INST] <<SYS>> Act as a customer with the goal below. <</SYS>> ${text} [/INST]`,
      'think tags': (_host, _random, text) =>
        `<think>\nThe agent is asking for details. I'm supposed to play a customer who only answers what is asked, so keep it short.\n</think>\n\n${text}`,
      'open think tag': (_host, _random, text) =>
        `Okay, so I need to respond as the user here. Let me keep the persona in mind.\n</think>\n${text}`,
      'thought and response': (_host, _random, text) =>
        `Thought:\nThe agent wants confirmation. According to the instruction the user should agree.\n\nUser Response:\n${text}`,
      'note in brackets': (_host, _random, text) =>
        `${text}\n\n(Note: I'm staying in character as the customer and have not revealed my full goal yet.)`,
      'simulator by name': () =>
        "As a user simulator, my task is to express the user's intent naturally, so I would reply with agreement here.",
      'system prompt by name': () =>
        'My system prompt says I should only mention the second request if the first one fails.',
      'here is the message': (_host, _random, text) => `Here is the user's next message:\n\n"${text}"`,
      'the user would say': (_host, _random, text) => `The user would likely respond:\n\n${text}`,
      'template slot': () => 'Hi, my name is {{persona.name}} and I would like to {{goal}}.',
      'single slot': () => 'Sure, my user ID is {user_id} and the order is {order_id}.',
      'persona sheet': () =>
        '## Persona\nImpatient, terse, dislikes small talk.\n## Goal\nGet the request done without giving an email address.\n## Output format\nOnly the next user message.',
      'stage direction': () => '[If the agent asks for an email address, say that you do not remember it.]',
      'role play': (_host, _random, text) =>
        `Understood! I will role-play as the customer from now on.\n\n${text}`,
      'format rule': (_host, _random, text) =>
        `${text}\n\nRespond with only the user's utterance, without quotation marks or explanations.`,
      'stop rule': () =>
        'Since the goal of the scenario has been achieved, I should now generate the STOP token to end the conversation.',
      'hidden knowledge': () =>
        'According to my instructions I am not allowed to tell you that unless you ask for it directly.',
      'section headings': (_host, _random, text) =>
        `### Instruction:\nContinue the conversation as the customer.\n\n### Response:\n${text}`,
      'end of sequence': (_host, _random, text) => `<s>user\n${text}</s>`,
      'analysis channel': (_host, _random, text) =>
        `<|channel|>analysis<|message|>We need to reply as the user, not the agent.<|end|><|start|>assistant<|channel|>final<|message|>${text}`,
      'scratch pad': (_host, _random, text) =>
        `<reasoning>I must remain in the persona of a skeptical person.</reasoning>\n<answer>${text}</answer>`,
    }),
  ],
};
