import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import { gatewayStage, readGatewayStage, readScenarios } from '../../src/outside/index.ts';

const prompt = [{ role: 'system', content: 'Be kind.' }];
const line = (more: object = {}) =>
  JSON.stringify({ prompt, scenario: 'You are in a hurry.', task: 't', ...more });
const fault = (text: string) => {
  try {
    readScenarios(text, 'contexts.jsonl');
  } catch (error) {
    return error as CollapseAwareError;
  }
  throw new Error('it was read');
};

describe('a file of contexts', () => {
  it('is read by line, with names for those that have none', () => {
    const text = `${line()}\n\n${line({ task: undefined, scenario: null, reward: 3 })}\r\n`;
    expect(readScenarios(text, 'contexts.jsonl')).toEqual([
      { task: 't', prompt, scenario: 'You are in a hurry.' },
      { task: 'context-3', prompt, scenario: null },
    ]);
  });

  it.each([
    ['CA_JSON_INVALID', '{"prompt": ['],
    ['CA_JSON_INVALID', '[1]'],
    ['CA_ROW_EMPTY', line({ prompt: [] })],
    ['CA_ROW_INVALID', line({ prompt: 'Hello' })],
    ['CA_ROW_INVALID', line({ prompt: [{ role: 'tool', content: 'x' }] })],
    ['CA_ROW_INVALID', line({ prompt: [null] })],
    ['CA_ROW_INVALID', line({ scenario: 7 })],
    ['CA_ROW_INVALID', line({ task: 'a\nb' })],
    ['CA_ROW_INVALID', line({ task: 'first' })],
  ])('says %s with the line of what it cannot use', (code, bad) => {
    const found = fault(`${line({ task: 'first' })}\n${bad}`);
    expect(found).toBeInstanceOf(CollapseAwareError);
    expect(found).toMatchObject({ code, place: { file: 'contexts.jsonl', line: 2 } });
  });

  it('has to have one', () => {
    expect(fault(' \n').code).toBe('CA_FILE_EMPTY');
  });
});

describe('a stage over a gateway', () => {
  const probes = readScenarios(['a', 'b', 'c'].map((task) => line({ task })).join('\n'), 'x');
  const given = {
    url: 'http://g',
    adminKeyEnv: 'KEY',
    agent: { url: 'http://a/v1', model: 'policy' },
    probes,
  };

  it('is plain data, and gives exams contexts of their own', () => {
    const stage = gatewayStage(given);
    expect(JSON.parse(JSON.stringify(stage))).toEqual(stage);
    expect(stage.probes.map(({ task }) => task)).toEqual(['a', 'b']);
    expect(stage.exams.map(({ task }) => task)).toEqual(['c']);
    expect(readGatewayStage(JSON.parse(JSON.stringify(stage)))).toEqual(stage);
    expect(gatewayStage({ ...given, exams: probes }).probes).toHaveLength(3);
  });

  it('is not that of another program', () => {
    expect(() => readGatewayStage({ kind: 'lab', world: 'persuasion' })).toThrow(
      /no trainer behind a gateway/,
    );
    expect(() => readGatewayStage({ kind: 'gateway', url: 7 })).toThrow(/no trainer behind a gateway/);
  });
});
