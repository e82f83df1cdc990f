export type CurateStage = 'read' | 'gate' | 'fit' | 'place' | 'plan' | 'measure' | 'write';

/** Told how far a stage is; `total` is null where it is not known yet. */
export type CurateProgress = (stage: CurateStage, done: number, total: number | null) => void;
