// Second wordings: real people, who must stay.
import { userForms } from '../host.mjs';

const keep = (kind, forms) => ({ kind: `control: ${kind}`, expect: 'keep', forms });
export const controls = [
  keep(
    'people about systems',
    userForms({
      a: () => 'Your site crashed with a JSON error when I paid, something like "unexpected token".',
      b: () => 'I followed your instructions and it still does not work.',
      c: () => 'As a customer I expect better.',
      d: () => 'Can I speak to a representative?',
      e: () => 'I got the confirmation email but the amount is wrong.',
      f: () => 'Is there anything you can do for me?',
      g: () => 'Let me check with my wife and get back to you in a minute.',
      h: () => 'I was told to tell you that the reference is in the mail.',
      i: () => 'My goal is simple: I want my money back.',
      j: () => 'Would you like to see my receipt? I can send a photo.',
      k: () => 'I have already cancelled the other one myself.',
      l: () => 'Thank you for your patience with me today.',
      m: () => 'How can I help my case?',
      n: () => 'The system says "session expired" again.',
      o: () => 'I work in customer service myself, so I know you can waive it.',
    }),
  ),
  keep(
    'people at length',
    userForms({
      a: () => 'No no no no no, that is not what I said!',
      b: () => 'Well... hmm... let me think... ok, yes, do it.',
      c: () => 'https://example.com/orders/12345?ref=abc&x=1 is the page I mean.',
      d: () => 'My tracking number is 9400 1000 0000 0000 0000 00.',
      e: () => 'very very very very unhappy with this',
      f: () => 'AAAAARGH this is the third time!',
      g: () => '100% sure.',
      h: () => 'I have 3 bags: 1 of 20kg, 1 of 23kg, 1 of 10kg.',
      i: () => 'First choice: May 20. Second choice: May 21. Third choice: none.',
      j: () => '\u00a1Hola! Can we do this in English? Gracias.',
      k: () => 'lol ok',
      l: () => '???',
    }),
  ),
];
