import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJudgeReply } from '../../src/curation/gate/judge-reply.ts';

const questions = [{ name: 'leaked' }, { name: 'out-of-role' }];
const read = (text: string | null) => Object.fromEntries(readJudgeReply(text, questions));
const good = {
  answers: {
    leaked: { answer: 'yes', evidence: 'In turn 2 it says  "my goal".\n' },
    'out-of-role': { answer: 'No', evidence: '' },
  },
};
const invalid = { answer: 'invalid', reason: null };

describe('a reply of the judge', () => {
  it('is read bare, in a code fence, and after a thought', () => {
    const wanted = {
      leaked: { answer: 'yes', reason: 'In turn 2 it says "my goal".' },
      'out-of-role': { answer: 'no', reason: null },
    };
    const text = JSON.stringify(good, null, 2);
    for (const form of [
      text,
      `\n ${text} \n`,
      `\`\`\`json\n${text}\n\`\`\``,
      `\`\`\`\n${text}\`\`\``,
      `<think>The user {"answers"} ...</think>\n\n${text}`,
    ])
      expect(read(form)).toEqual(wanted);
  });

  it('is invalid for every question where it is no such JSON', () => {
    const text = JSON.stringify(good);
    for (const form of [
      null,
      '',
      'yes',
      text.slice(0, -3),
      `Sure! ${text}`,
      `${text}\n${text}`,
      '[]',
      'null',
      '"yes"',
      '{"answers": []}',
      '{"answers": "yes"}',
      JSON.stringify(good.answers),
      '['.repeat(100_000),
    ])
      expect(read(form), String(form).slice(0, 40)).toEqual({ leaked: invalid, 'out-of-role': invalid });
  });

  it('is invalid for the question alone that is missing or answered otherwise', () => {
    for (const said of ['maybe', 'yes and no', true, 1, null, ['yes'], { answer: 'yes' }])
      expect(
        read(JSON.stringify({ answers: { leaked: { answer: said }, 'out-of-role': { answer: 'no' } } })),
      ).toEqual({
        leaked: invalid,
        'out-of-role': { answer: 'no', reason: null },
      });
    expect(read('{"answers": {"leaked": "yes", "out-of-role": {"answer": "yes"}}}')).toEqual({
      leaked: invalid,
      'out-of-role': { answer: 'yes', reason: null },
    });
  });

  it('answers only what was asked, and nothing by inheritance', () => {
    const reply = '{"answers": {"__proto__": {"answer": "yes"}, "toString": {"answer": "yes"}, "x": 1}}';
    expect(read(reply)).toEqual({ leaked: invalid, 'out-of-role': invalid });
    expect([...readJudgeReply('{"answers": {}}', [{ name: 'constructor' }]).values()]).toEqual([invalid]);
  });

  it('gives one reason of at most 300 characters', () => {
    const { reason } = readJudgeReply(
      JSON.stringify({ answers: { leaked: { answer: 'yes', evidence: `a${'😀'.repeat(500)}` } } }),
      questions,
    ).get('leaked')!;
    expect(reason!.length).toBeLessThanOrEqual(300);
    expect(reason).not.toMatch(/\p{Surrogate}/u);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect([...readJudgeReply(text, questions).keys()]).toEqual(['leaked', 'out-of-role']);
      }),
    );
  });
});
