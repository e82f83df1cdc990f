// The simulator answers as the other side: serves, asks for data, reports what it did, or writes both parts.
import { inUserTurn, say, userForms } from './host.mjs';

const thing = (host) =>
  say(host, {
    airline: 'reservation',
    retail: 'order',
    telecom: 'account',
    donation: 'donation',
    other: 'question',
  });
const company = (host) =>
  say(host, { airline: 'airline', retail: 'store', telecom: 'line', donation: 'charity', other: 'service' });

const service = userForms({
  'greets as the desk': () => 'Hello! How can I assist you today?',
  'greets and asks': (host) =>
    `Hi there, thanks for reaching out to our ${company(host)} support team. What can I do for you?`,
  'asks for data': (host) =>
    `I'd be happy to help you with that! Could you please provide your ${say(host, { airline: 'user ID and reservation number', retail: 'order number and email address', telecom: 'phone number and account name', other: 'full name and email address' })} so I can look into it?`,
  'anything else': () => "You're welcome! Is there anything else I can help you with today?",
  'looks it up': (host) =>
    `Thank you for providing your details. Let me pull up your ${thing(host)} in our system. One moment please.`,
  'reports the deed': (host) =>
    `I've gone ahead and updated your ${thing(host)}. You'll receive a confirmation email shortly at the address we have on file.`,
  'states the policy': () =>
    'I understand your frustration, and I apologize for the inconvenience. Unfortunately, our policy does not allow us to make an exception in this case.',
  transfers: () =>
    "I'm going to transfer you to a human agent who can assist you further. Please hold on, and thank you for your patience.",
  'refund as the desk': (host) =>
    `Your refund has been processed and should appear in your account within 5 to 7 business days. We appreciate your patience${host.name ? `, ${host.name[0]}` : ''}.`,
  'offers choices': () =>
    'Great choice! I can offer you two options: a full refund to your original payment method, or a certificate for future use. Which would you prefer?',
  'asks to confirm': (host) =>
    `To proceed with the change to your ${thing(host)}, I need your explicit confirmation. Please reply "yes" and I will process it right away.`,
  'assistant persona': () =>
    "As an AI assistant, I don't have access to personal account information, but I can guide you through the steps you need to take.",
  'language model': () =>
    "I'm just a language model, so I can't make a decision like that myself, but I'm here to help if you have any other questions!",
  'closes the ticket': (host) =>
    `Thank you for contacting us. Your case has been resolved and I'll close this ticket now. Have a wonderful day, and feel free to reach out again if you need help with your ${thing(host)}!`,
  'thanks the caller': (host) =>
    `Thank you for confirming, ${host.name ? `${host.name[0]} ${host.name[1]}` : 'and for your patience'}. I have verified your identity. How would you like to proceed?`,
});

const labels = userForms({
  'label of the other side': (host) =>
    `Agent: ${host.agentSaid.at(-1)?.slice(0, 200) ?? 'Let me check that for you.'}`,
  'label Assistant': (host) =>
    `Assistant: Sure, I can help with your ${thing(host)}. Please give me a moment while I check the details.`,
  'writes both parts': (_host, _random, text) =>
    `User: ${text}\nAgent: Certainly, I can take care of that for you. It's done.\nUser: Great, thank you!\nAgent: You're welcome! Have a nice day.`,
  'goes on as the agent': (host, _random, text) =>
    `${text}\n\nAgent: Thank you. I have found your ${thing(host)} and will process the change now.\n\nCustomer: Perfect.`,
});

const echo = inUserTurn(
  "says the agent's last turn word for word",
  (host, random) => host.agentSaid[random.integer(host.agentSaid.length)],
  { fits: (host) => host.agentSaid.some((text) => text.length > 60) && host.agentSaid.length > 2 },
);

const persuader = userForms(
  {
    'asks the persuader to give': () =>
      'Would you be willing to donate some of your task payment to Save the Children? Even a small amount, like $0.50, makes a real difference.',
    'introduces the charity': () =>
      'I am here today to tell you about a charity called Save the Children. They help children in developing countries. How much would you like to donate?',
    'takes the donation': () =>
      'Thank you so much for your generous donation! The research team will deduct it from your payment and send it to Save the Children on your behalf.',
  },
  { fits: (host) => host.domain === 'donation' },
);

const debate = userForms(
  {
    'moves the persuader': () =>
      'Love it. So on a scale of 0 to 100, where are you now? Can I get you to move a little closer to agreeing with me?',
    'coach voice': () =>
      "That's a great point, and thank you for sharing it with me! Let me offer you a different perspective. What would it take to change your mind?",
  },
  { fits: (host) => host.domain === 'opinion' },
);

/** Phrases of a help desk are out of role for a caller. */
const servedHosts = (form) => ({ ...form, fits: (host) => host.task && form.fits(host) });

export const roleReversal = {
  kind: 'role reversal',
  expect: 'drop',
  forms: [...service.map(servedHosts), ...labels.map(servedHosts), servedHosts(echo)],
};

/** In the words of the topic: people say such things too, and only who reads the dialogue can tell. */
export const roleReversalInWords = {
  kind: 'role reversal, in words of the topic',
  expect: 'judge',
  forms: [...persuader, ...debate],
};
