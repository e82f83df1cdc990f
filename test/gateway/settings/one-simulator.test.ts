import { expect, it } from 'vitest';
import type { CollapseAwareError } from '../../../src/errors.ts';
import { readPopulation } from '../../../src/gateway/settings/read-population.ts';

it('says what does not tell simulators apart where two are refused as one', () => {
  const at = (id: string, upstream: string) => ({ id, family: id, model: 'm', upstream });
  const members = [at('here', 'one'), at('there', 'two')];
  const refused = (panels: object) => {
    try {
      readPopulation({ members, ...panels }, { upstreams: ['one', 'two'] });
    } catch (error) {
      return (error as CollapseAwareError).line;
    }
    throw new Error('taken');
  };
  expect(refused({ seen: ['here', 'there'] })).toMatch(/one simulator.*upstream and weight do not count/s);
  expect(refused({ seen: ['here'], selection: ['there'] })).toMatch(
    /CA_PANEL_OVERLAP.*upstream and weight do not count/s,
  );
});
