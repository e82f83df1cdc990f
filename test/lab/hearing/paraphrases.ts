import type { WorldId } from '../../../src/lab/world/world.ts';

type Told = Readonly<Record<WorldId, readonly (readonly [string, string])[]>>;

/** Things agents might say in words of their own, written by hand: [act, text]. Thresholds were chosen on these. */
export const PARAPHRASES: Told = {
  persuasion: [
    ['greet', 'Hello! How are you doing today?'],
    ['greet', "Hi there, I'm glad we could connect this morning."],
    ['inquire', 'Have you donated to any nonprofit organisations in the past?'],
    ['inquire', 'What causes are important to you personally?'],
    ['information', 'All donations are deducted from your task payment, anywhere between $0 and $2.'],
    ['information', 'The organisation uses the money it receives to run its programmes.'],
    ['credibility', 'They publish audited annual reports and have a four star rating.'],
    [
      'credibility',
      'Nearly ninety percent of every dollar goes to the programmes, and outside auditors confirm that.',
    ],
    ['logic', 'If each of us chipped in a little, together it would add up to a lot.'],
    ['logic', 'For you this is a trivial amount, but its impact is huge.'],
    ['emotion', 'Picture a small child going to bed hungry every night. It breaks my heart.'],
    ['emotion', 'Just imagine what their days are like, without any hope.'],
    ['personal', "I've donated half of my own payment already because this matters to me."],
    ['personal', 'My cousin was once helped by people like these, and I will never forget it.'],
    ['propose', 'Would you be interested in donating part of your earnings to the charity?'],
    ['propose', "I'd like to ask whether you would support them with some of your payment today."],
    ['foot-in-door', 'Even five cents would make a difference.'],
    ['foot-in-door', 'You could begin with something very small, like ten cents.'],
    ['ask-amount', 'How much would you be willing to contribute?'],
    ['ask-amount', 'Great! What amount should I write down for you?'],
    ['rapport', "That's very kind of you to say, you seem like a caring person."],
    ['rapport', 'I totally understand, I feel the same way.'],
    ['close', 'Thank you so much for your time. What is your final decision?'],
    ['close', 'It was great talking with you. Have a wonderful day!'],
  ],
  service: [
    ['ask-goal', 'Hi! How can I help you today?'],
    ['ask-goal', 'Thanks for contacting us, what seems to be the issue?'],
    ['ask-identity', 'Could you please provide your full name and zip code so I can locate your account?'],
    ['ask-identity', 'What email address is your account registered under?'],
    ['ask-order', 'Could you share the order ID you are calling about?'],
    ['ask-order', 'Which of your orders do you mean?'],
    ['ask-detail', 'Which item would you like to receive in exchange?'],
    ['ask-detail', 'What is the new address that we should ship it to?'],
    ['explain', 'The reason is our policy: orders can only be cancelled before they ship.'],
    ['explain', 'Our rules say refunds are possible within thirty days of delivery.'],
    ['confirm-plan', 'To confirm: you want me to cancel order W1234. Is that correct?'],
    ['confirm-plan', 'I will go ahead with the exchange of the kettle. Do you agree?'],
    ['ask-code', 'I just emailed you a verification code. Can you read it to me?'],
    ['ask-code', 'Please check your inbox and tell me the six digit code.'],
    ['deny', 'Unfortunately I am unable to refund this order.'],
    ['deny', "I'm afraid we can't cancel it because it has already shipped."],
    ['offer-alternative', 'Alternatively, you could return the item for a refund. Would that work for you?'],
    ['offer-alternative', 'Perhaps you would prefer to exchange it instead?'],
    ['apologise', "I'm really sorry for the inconvenience."],
    ['apologise', 'I apologise for the delay, I know this is frustrating.'],
    ['close', 'Everything is done. Is there anything else I can help with?'],
    ['close', 'Thank you for reaching out. Goodbye!'],
  ],
  'pair-coding': [
    ['share-plan', "Hi, I'll be implementing the feature and plan to modify these functions and files."],
    ['share-plan', 'My plan is to edit the parser and the loader for my feature.'],
    ['ask-plan', 'What files are you planning to change?'],
    ['ask-plan', 'Can you tell me which functions you will touch?'],
    [
      'claim-explain',
      'I would like to take that function because my feature changes its signature and two edits would conflict.',
    ],
    ['claim-explain', 'Let me handle it, since my change depends on the order of its steps.'],
    ['claim-trade', "Deal: I do this function and in return I'll write your tests."],
    ['claim-trade', "If you leave it to me, I'll include your change as well."],
    ['claim-ask', 'Would you mind if I took that function?'],
    ['claim-ask', 'Is it okay with you if I do it? Only if you want.'],
    ['yield-overlap', "You go ahead with that one, I won't touch it."],
    ['yield-overlap', "Sure, it's yours. I will use your version."],
    ['ask-status', 'How is it going? Have you pushed anything yet?'],
    ['ask-status', "What's the status of your changes?"],
    ['acknowledge', 'Okay, sounds good.'],
    ['acknowledge', 'Thanks for letting me know, go on.'],
    ['warn-conflict', 'Warning: our branches conflict in that function, please pull and rework your part.'],
    ['warn-conflict', 'The merge is broken because we both edited the same function. Can you rebase?'],
    ['done', "I'm finished, everything has been pushed."],
    ['done', 'All done on my end!'],
  ],
};

/** Longer turns, several sentences each, by somebody who had read the wordings: nearer to them than agents will be. */
export const LONG_PARAPHRASES: Told = {
  persuasion: [
    ['greet', 'Hi there! It is really nice to meet you. How has your day been so far?'],
    ['inquire', 'Thanks for sharing. Out of curiosity, have you ever supported a charity before?'],
    ['inquire', "That's interesting. Are you familiar with this charity? Have you heard of them?"],
    [
      'credibility',
      'That is a fair concern. Independent auditors check them every year, and you can read all of the reports on their website.',
    ],
    [
      'information',
      'Good question. The donation is simply taken from your payment, and you can choose any sum between zero and two dollars.',
    ],
    [
      'emotion',
      'I hear you. Imagine being a small child and waking up hungry every morning. It hurts to think of it.',
    ],
    [
      'personal',
      'I understand. I am giving half of my own payment, because a friend of mine was once helped by them.',
    ],
    [
      'logic',
      'I see. Still, if everyone in this task gave a few cents, the effect would be large. It costs you little.',
    ],
    ['foot-in-door', 'No pressure at all. Even a few cents would help. You could start with ten cents.'],
    [
      'propose',
      'I am glad to hear that. Would you be willing to donate some of your payment to the charity today?',
    ],
    ['ask-amount', 'That is wonderful, thank you! How much would you like to give?'],
    ['close', 'Thank you very much for talking with me today. Have a great day! What did you decide?'],
  ],
  service: [
    ['ask-goal', 'Hello and welcome to our shop! My name is Kim. How can I help you today?'],
    [
      'ask-identity',
      'I would be glad to help you with that. First, may I have your name and postcode, so that I can find you?',
    ],
    ['ask-order', 'Thank you, I found your account. Could you give me the number of the order you mean?'],
    ['ask-detail', 'Sure, I can do that. What exactly should the new item be? Please give me the details.'],
    [
      'explain',
      'I know it sounds odd. The reason is simple: we have to check that for every order. The rule says that it must not have been sent.',
    ],
    [
      'confirm-plan',
      'Thank you. So, just to be sure: you want me to go on with cancelling the order. Is that right?',
    ],
    ['ask-code', 'Almost there! I have sent a code to your e-mail. Could you tell me what it says?'],
    [
      'deny',
      'Thanks for waiting. Unfortunately, the order does not meet our rules, so this is not possible.',
    ],
    [
      'offer-alternative',
      'I looked into it. There is another way: you could send it back for your money. Would that help?',
    ],
    ['apologise', 'I understand how annoying this is. I am very sorry for the trouble.'],
    [
      'close',
      'The order has been cancelled. Is there anything else? Thank you for getting in touch. Have a good day!',
    ],
  ],
  'pair-coding': [
    [
      'share-plan',
      "Hi! Quick plan from my side: I'm building my feature, and I'll be changing the parser and the loader.",
    ],
    [
      'ask-plan',
      'Good to know. Which functions will you touch for your feature? Where are you going to work?',
    ],
    [
      'claim-explain',
      "I had a look. I'd rather do that function myself, because it decides how my feature works, and two versions won't merge.",
    ],
    [
      'claim-trade',
      "Let's make a deal. I take the function for both of us, and I'll write your tests for it.",
    ],
    ['claim-ask', 'I have some time now. Would you mind if I took it? Say no if not.'],
    ['yield-overlap', "Fine with me. You take it, I won't touch it. I'll build on what you push."],
    ['ask-status', 'Just checking in. How far are you? Have you pushed yet?'],
    ['acknowledge', 'Okay. Makes sense. Carry on!'],
    [
      'warn-conflict',
      'Careful! I just ran the tests. We both changed it, and the two do not go together. Could you rework yours on top of mine?',
    ],
    ['done', 'That was the last edit. All done on my side. Everything is pushed.'],
  ],
};
