import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { JUDGE_PROMPT_VERSION } from '../curation/gate/judge-prompt.ts';
import type { ChatMessage } from '../endpoint/index.ts';
import { openDiskCache } from '../store/index.ts';

/** A reply as it came: reading it anew costs nothing, should the reader ever change. */
export interface KeptReply {
  readonly text: string;
  readonly model: string;
}

/** Replies of one model at one address, kept between runs. */
export interface JudgeCache {
  /**
   * Names one vote: the model, where it is served, version of the prompt, number of the vote, and all that is said to
   * it. The messages hold the questions and the content, and nothing of ids, files or order.
   */
  key(messages: readonly ChatMessage[], vote: number): string;
  get(key: string): Promise<KeptReply | null>;
  set(key: string, reply: KeptReply): Promise<void>;
}

/** Kept below `directory`/judge. `name` is the address without credentials. What cannot be kept is asked again. */
export function openJudgeCache(directory: string, name: string, model: string): JudgeCache {
  const disk = openDiskCache(join(directory, 'judge'));
  return {
    key: (messages, vote) =>
      createHash('sha256')
        .update(JSON.stringify([JUDGE_PROMPT_VERSION, name, model, vote, messages]))
        .digest('hex'),
    async get(key) {
      const bytes = await disk.get(key);
      if (bytes === null) return null;
      try {
        const kept = JSON.parse(Buffer.from(bytes).toString('utf8')) as Partial<KeptReply> | null;
        return typeof kept?.text === 'string' && typeof kept.model === 'string'
          ? { text: kept.text, model: kept.model }
          : null;
      } catch {
        return null;
      }
    },
    async set(key, { text, model: by }) {
      await disk.set(key, Buffer.from(JSON.stringify({ text, model: by }), 'utf8'));
    },
  };
}
