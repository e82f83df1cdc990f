import type { Pattern, Slots } from '../speech/pattern.ts';
import { folded } from './folded-text.ts';

/** A wording turned round: which texts it can have made. */
export interface InversePattern {
  /**
   * How much of a folded text it explains, in letters; 0 = it did not make it. What stands in a slot counts where it is
   * the slot's value; `strict`: where it is another, the pattern did not make the text.
   */
  explains(text: string, slots?: Slots, strict?: boolean): number;
}

export interface InverseOptions {
  /** Folded pieces that may stand before and behind. */
  readonly before?: readonly string[];
  readonly behind?: readonly string[];
  /** A wording that may follow. */
  readonly more?: Pattern | undefined;
  /** Courtesies of the wording may be missing. */
  readonly curt?: boolean;
}

/** Longer texts are not tried: several slots in a row take time that grows with a power of the length. */
const LONGEST = 600;

/** Of any of the patterns. Texts are compared folded (folded-text.ts). */
export function inverseOf(patterns: readonly Pattern[], options: InverseOptions = {}): InversePattern {
  const { before = [], behind = [], more, curt = false } = options;
  const names: string[] = [];
  const write = (pattern: Pattern): string => {
    if (typeof pattern === 'string') return curt ? courtesiesOptional(folded(pattern)) : folded(pattern);
    if ('slot' in pattern) {
      names.push(pattern.slot);
      return '(.+?)';
    }
    if ('any' in pattern) return `(?:${pattern.any.map(write).join('|')})`;
    return pattern.all.map(write).join('');
  };
  const pieces = (texts: readonly string[]) =>
    texts.length === 0 ? '' : `(?:${[...texts].sort((a, b) => b.length - a.length).join('|')})?`;
  const body = patterns.map(write).join('|');
  const rest = more === undefined ? '' : `(?:${write(more)})?`;
  const whole = new RegExp(`^${pieces(before)}(?:${body})${pieces(behind)}${rest}$`, 'su');
  return {
    explains(text, slots = {}, strict = false) {
      if (text === '' || text.length > LONGEST) return 0;
      const found = whole.exec(text);
      if (found === null) return 0;
      let letters = text.length;
      for (const [i, name] of names.entries()) {
        const value = found[i + 1];
        if (value === undefined) continue;
        const known = slots[name];
        if (known !== undefined && folded(known) === value) continue;
        if (strict && known !== undefined) return 0;
        letters -= value.length;
      }
      // A text that is nothing but a slot was still made by the wording.
      return Math.max(letters, 0.5);
    },
  };
}

/** A curt hand leaves these out. */
function courtesiesOptional(text: string): string {
  return text.replace(
    /(?:iam)?sorry(?:but)?|(?:many)?thanks(?:alot|somuch)?|thankyou(?:somuch|verymuch)?|please/g,
    '(?:$&)?',
  );
}
