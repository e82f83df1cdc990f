import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { CollapseAwareError } from '../../dist/errors.js';
import { readSettings } from '../../dist/gateway/index.js';
import { memberFingerprint, readPanels } from '../../dist/population/index.js';
import { ARMS } from './arms.mjs';

export const FOLDER = resolve(import.meta.dirname, '..');
export const BENCHMARKS = ['p4g', 'tau2-retail', 'tau2-airline', 'cooperbench'];
const SCHEMA = 'collapse-aware/stage-zero@1';

/**
 * The plan of a benchmark, its panels and the gateway settings of its arms, as written.
 * @throws CA_USAGE for a name that is none; CA_FILE_NOT_FOUND, CA_CONFIG_INVALID for files that are not as they should be
 */
export function readBenchmark(id, folder = join(FOLDER, id)) {
  if (!BENCHMARKS.includes(id))
    throw new CollapseAwareError('CA_USAGE', `"${id}" is no benchmark of experiments/`, {
      todo: `one of ${BENCHMARKS.join(', ')}`,
    });
  const plan = yamlOf(join(folder, 'benchmark.yaml'));
  if (plan.schema !== SCHEMA || plan.id !== id)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `schema or id is not ${SCHEMA} and ${id}`, {
      place: { file: join(folder, 'benchmark.yaml') },
      todo: 'mend the head of the file',
    });
  const panels = readPanels(yamlOf(join(folder, 'panels.yaml')), { file: join(folder, 'panels.yaml') });
  const gateways = new Map(
    ARMS.map((arm) => [
      arm,
      { file: gatewayFile(id, arm, folder), written: yamlOf(gatewayFile(id, arm, folder)) },
    ]),
  );
  return { id, folder, plan, panels, gateways };
}

export const gatewayFile = (id, arm, folder = join(FOLDER, id)) => join(folder, 'gateway', `${arm}.yaml`);

/**
 * The settings of every arm, read as the gateway reads them, and held to the panels: whom an arm trains against is in
 * the seen panel, and every arm is chosen by and measured with the same held-out members.
 * @throws CA_CONFIG_INVALID, CA_PANEL_OVERLAP
 */
export function readArms({ panels, gateways, folder }, environment) {
  const prints = (members) => members.map(memberFingerprint).sort();
  const seen = new Set(prints(panels.seen));
  return new Map(
    [...gateways].map(([arm, { file, written }]) => {
      const settings = readSettings(written, { environment, file });
      const served = settings.population.panels;
      for (const split of ['selection', 'test'])
        if (prints(served[split]).join() !== prints(panels[split]).join())
          throw unlike(file, `its ${split} panel is not that of ${join(folder, 'panels.yaml')}`);
      for (const one of served.seen)
        if (!seen.has(memberFingerprint(one)))
          throw unlike(file, `"${one.id}" is trained against and not in the seen panel of panels.yaml`);
      return [arm, settings];
    }),
  );
}

const unlike = (file, found) =>
  new CollapseAwareError('CA_CONFIG_INVALID', found, { place: { file }, todo: 'mend one of the two files' });

function yamlOf(file) {
  if (!existsSync(file))
    throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no such file', {
      place: { file },
      todo: `every folder of ${dirname(FOLDER)}/experiments has its plan, panels and a gateway file an arm`,
    });
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CollapseAwareError('CA_CONFIG_INVALID', `it is no YAML: ${cause.message.split('\n')[0]}`, {
      place: { file },
      todo: 'mend the file',
    });
  }
}
