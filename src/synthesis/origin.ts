/** What a member was made from. */
export type Origin =
  /** By nobody here: it was given. */
  | { readonly kind: 'given' }
  | {
      readonly kind: 'path';
      /** Ids of members: a at lambda 0, b at 1. */
      readonly a: string;
      readonly b: string;
      readonly lambda: number;
      readonly how: 'prompt' | 'sampling' | 'mixture';
    }
  /** For a mode of people that is not covered, which holds `mass` of what people do. */
  | { readonly kind: 'gap'; readonly mode: number; readonly mass: number; readonly base: string }
  /** Found by search: the `generation`-th from 1. */
  | { readonly kind: 'adversary'; readonly base: string; readonly generation: number };
