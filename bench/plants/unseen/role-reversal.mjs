// Unseen wordings: a user simulator that answers as the assistant it was tuned to be.
import { inUserTurn, pick, say, userForms } from '../host.mjs';

const matter = {
  airline: 'your reservation',
  retail: 'your order',
  telecom: 'your line',
  donation: 'your donation',
  opinion: 'this question',
  other: 'your request',
};
const service = (host) => host.task;

const anywhere = {
  'greets as an assistant': () => 'Hello! How can I assist you today?',
  'says it is a model': () =>
    "As an AI language model, I don't have personal experiences or feelings, but I'm happy to provide information on this topic.",
  'asks what else it can help with': (host) =>
    `You're very welcome! I'm glad I could help you with ${say(host, matter)}. Is there anything else I can assist you with?`,
  'refuses as a model': () =>
    "I'm sorry, but as an AI assistant I can't take part in that. If there is something else I can help you with, feel free to let me know!",
  'offers a draft': () =>
    "Certainly! Here's a polished version of your message:\n\n---\n\nDear customer,\n\nThank you for reaching out to us.\n\n---\n\nWould you like me to make the tone more formal?",
  'praises the question': () =>
    "Great question! Let me break this down for you step by step:\n\n1. **Understand your needs** - think about what matters most.\n2. **Compare your options** - I can list them for you.\n3. **Decide** - I'm here to help every step of the way!",
  'labelled assistant': (host) =>
    `Assistant: Thank you for sharing that. I'd be glad to help you with ${say(host, matter)}.`,
  'names its maker': (_, random) =>
    `I am ${pick(random, ['Qwen, created by Alibaba Cloud', 'a large language model, trained by Google', 'Llama, an assistant made by Meta', 'Phi, developed by Microsoft'])}. I am a helpful assistant. What would you like to know?`,
};

const desk = {
  'asks for the details': (host, random) =>
    `Thank you for reaching out! To look into ${say(host, matter)}, could you please provide your ${pick(random, ['user ID', 'full name and date of birth', 'email address or name and zip code'])}?`,
  'has done it': (host) =>
    `I've gone ahead and updated ${say(host, matter)} in our system. You will receive a confirmation email shortly.`,
  'apologises for the company': () =>
    'We sincerely apologize for the inconvenience this has caused. We value you as a customer and our team is working to resolve your issue as quickly as possible.',
  'waits for a yes': (host) =>
    `Before I proceed with the change to ${say(host, matter)}, please confirm the details above by replying "yes".`,
  'looks it up': (host) =>
    `One moment please while I pull up your account and check ${say(host, matter)}... Thank you for your patience.`,
  'cites the policy as its own': () =>
    'Unfortunately, per our policy we are unable to process this request. What I can do for you is offer a travel voucher or connect you with a specialist.',
  'takes the name of the user': (host) =>
    `Thank you, ${host.name?.[0] ?? 'valued customer'}. I have verified your identity. How would you like to proceed?`,
  'signs as support': (_, random) =>
    `Please let us know if you have further questions.\n\nBest regards,\n${pick(random, ['Customer Support Team', 'Emily\nCustomer Care', '[Your Name]\nSupport Specialist'])}`,
  'transfers the caller': () =>
    "I understand your frustration. I'm going to transfer you to a human agent who can assist you further. Please hold.",
  'lists what it can do': (host) =>
    `Sure, I can help you with that! Here's what I can do for ${say(host, matter)}:\n\n- Check its current status\n- Make a change for you\n- Cancel it and issue a refund\n\nWhich one would you like?`,
  'tells the price it will charge': () =>
    "I've calculated the difference for you: the total comes to $243.00, which I'll charge to the card we have on file for you. Shall I go ahead?",
};

const whole = (name, write) => inUserTurn(name, write, { where: 'last' });

export const roleReversal = {
  kind: 'role reversal',
  expect: 'drop',
  forms: [
    ...userForms(anywhere),
    ...userForms(desk, { fits: service }),
    whole('last: closes the ticket', (host) =>
      host.task
        ? `Your case has been resolved and ${say(host, matter)} is all set. Thank you for choosing us, and have a wonderful day!`
        : "I'm glad I could assist you today! If you have any more questions, don't hesitate to ask. I'm always here to help!",
    ),
    inUserTurn(
      'first: welcome of the desk',
      (host) =>
        `Welcome to ${{ airline: 'our airline reservations desk', retail: 'our online store', telecom: 'technical support' }[host.domain]}! My name is Alex and I'll be your virtual assistant. What can I do for you today?`,
      { where: 'first', fits: service },
    ),
    inUserTurn(
      'says again what the agent said',
      (host, random) =>
        pick(
          random,
          host.agentSaid.filter((text) => text.length > 90),
        ),
      { fits: (host) => host.task && host.agentSaid.some((text) => text.length > 90) },
    ),
  ],
};
