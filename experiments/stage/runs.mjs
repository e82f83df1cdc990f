/** What a session was for: `x-ca-run` of every request, and so `run` of its record. */
export const TRAINING = 'training';
/** Panel sessions that choose a checkpoint. */
export const SELECTION = 'selection';
/** Sessions of the untouched contexts, played once: before training and with the checkpoint that was chosen. */
export const EXAM = 'exam';

/** Name of the checkpoint before training. */
export const BASE = 'base';

/** What the checkpoint that the selection panel chose is called in figures. */
export const CHOSEN = 'chosen';
