/**
 * Acts of a persuadee, each with the labels of the annotation of Persuasion for Good that it stands for.
 * The order is the precedence within a turn: a turn of several labels counts as the first act listed, so that
 * what commits (a refusal, an amount, consent) is not hidden by a greeting or thanks beside it.
 */
const USER_LABELS = {
  refuse: ['disagree-donation', 'disagree-donation-more'],
  amount: ['provide-donation-amount'],
  agree: ['agree-donation', 'confirm-donation'],
  'push-back': ['negative-reaction-to-donation'],
  'ask-procedure': ['ask-donation-procedure'],
  'ask-charity': ['ask-org-info'],
  'ask-back': ['ask-persuader-donation-intention', 'task-related-inquiry', 'personal-related-inquiry'],
  'answer-no': ['negative-to-inquiry', 'neutral-to-inquiry'],
  'answer-yes': ['positive-to-inquiry'],
  warm: ['positive-reaction-to-donation'],
  close: ['thank', 'you-are-welcome', 'closing'],
  greet: ['greeting'],
  acknowledge: ['acknowledgement', 'neutral-reaction-to-donation'],
  chat: ['off-task', 'other'],
} as const;

/** Strategies of a persuader, in the same way: a request outweighs an appeal, an appeal what surrounds it. */
const PERSUADER_LABELS = {
  'ask-amount': ['ask-donation-amount', 'ask-donate-more', 'confirm-donation', 'ask-not-donate-reason'],
  propose: ['proposition-of-donation'],
  'foot-in-door': ['foot-in-the-door'],
  logic: ['logical-appeal'],
  emotion: ['emotion-appeal'],
  personal: ['self-modeling', 'personal-story'],
  credibility: ['credibility-appeal'],
  information: ['donation-information'],
  inquire: [
    'task-related-inquiry',
    'source-related-inquiry',
    'personal-related-inquiry',
    'non-personal-task-related-inquiry',
  ],
  close: ['thank', 'closing', 'you-are-welcome'],
  greet: ['greeting'],
  rapport: [
    'praise-user',
    'comment-partner',
    'acknowledgement',
    'positive-to-inquiry',
    'neutral-to-inquiry',
    'negative-to-inquiry',
    'off-task',
    'other',
  ],
} as const;

export type PersuadeeAct = keyof typeof USER_LABELS;
export type PersuaderAct = keyof typeof PERSUADER_LABELS;

export const PERSUADEE_ACTS = Object.keys(USER_LABELS) as readonly PersuadeeAct[];
export const PERSUADER_ACTS = Object.keys(PERSUADER_LABELS) as readonly PersuaderAct[];

/** What stands for the act before the first one. */
export const START = 'start';

export const labelsOfPersuadee = (act: PersuadeeAct): readonly string[] => USER_LABELS[act];
export const labelsOfPersuader = (act: PersuaderAct): readonly string[] => PERSUADER_LABELS[act];

/** Index in PERSUADEE_ACTS of a turn with these labels; -1 where none of them is known. */
export const persuadeeAct = (labels: readonly string[]): number => strongest(labels, USER_RANK);

/** Index in PERSUADER_ACTS of a turn with these labels; -1 where none of them is known. */
export const persuaderAct = (labels: readonly string[]): number => strongest(labels, PERSUADER_RANK);

const USER_RANK = ranks(USER_LABELS);
const PERSUADER_RANK = ranks(PERSUADER_LABELS);

function ranks(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, number> {
  return new Map(
    Object.values(table).flatMap((labels, rank) => labels.map((label) => [label, rank] as const)),
  );
}

function strongest(labels: readonly string[], rank: ReadonlyMap<string, number>): number {
  const found = labels.flatMap((label) => rank.get(label.toLowerCase()) ?? []);
  return found.length === 0 ? -1 : Math.min(...found);
}
