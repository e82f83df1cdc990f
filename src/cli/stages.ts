/** What an audit or a comparison goes through, as the progress names it. */
export const STAGES = {
  read: 'Read episodes',
  fit: 'Fit the behaviour space',
  place: 'Place episodes',
  measure: 'Measure',
  write: 'Write',
} as const;

export type Stage = keyof typeof STAGES;
