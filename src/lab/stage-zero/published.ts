/**
 * Held-out panel score of Yu et al. 2026 (arXiv 2608.12253), Qwen3-4B-Instruct, best checkpoint: reward 0..1 of
 * Persuasion for Good, success in percent of tau2 retail and airline. Null = not reported. Language models, not this lab:
 * the order of methods may be compared, the levels may not.
 */
export const PUBLISHED = {
  source: 'Yu et al. 2026, arXiv 2608.12253, Qwen3-4B-Instruct',
  columns: ['Persuasion for Good, reward', 'tau2 retail, %', 'tau2 airline, %'],
  rows: [
    { method: 'base', scores: [0.216, 40.4, 24.0] },
    { method: 'single', scores: [0.275, 46.1, 29.8] },
    { method: 'persona', scores: [null, 49.2, 31.6] },
    { method: 'ensemble-3', scores: [0.394, 57.1, 40.1] },
    { method: 'vs-prob', scores: [0.484, 55.5, 36.9] },
    { method: 'co-training', scores: [0.438, 60.5, 44.4] },
    { method: 'population-co-training-5', scores: [0.508, 62.2, 45.7] },
  ],
} as const;

/** What the proposal of this project guessed of one simulator and of co-training, and asked to be measured. */
export const GUESSED = {
  source: 'proposal of COLLAPSE-AWARE: guesses, not measurements',
  /** Whom they were guessed of, and whom they are held against beside. */
  methods: [
    'single',
    'co-training',
    'population-co-training-5',
    'collapse-aware',
    'collapse-aware-no-people',
  ],
  thresholds: [
    { figure: 'scdPooled2', title: 'SCD', limit: 0.5, better: 'less' },
    // The same guess, of acts: in the space a collapsed population may be off people's support, and then has no SCD.
    { figure: 'scdActs2', title: 'SCD, of acts', limit: 0.5, better: 'less' },
    { figure: 'bdi', title: 'BDI', limit: 0.8, better: 'more' },
    { figure: 'psod', title: 'PSOD', limit: 0.1, better: 'less' },
  ],
} as const;
