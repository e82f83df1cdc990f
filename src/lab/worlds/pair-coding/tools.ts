import type { Step } from '../../world/encounter.ts';
import type { PairSetting, Region } from './pair-setting.ts';

type Tool = NonNullable<Step['tool']>;

/** A tool call of the agent's and its answer. `region` and `bits` as the encounter logged them. */
export function agentTool(setting: PairSetting, act: string, region: number, bits: number): Tool {
  const { overlapRegions, agentRegions } = setting;
  if (act === 'edit-own') return edit('agent', agentRegions.slice(region, region + 1));
  if (act === 'edit-overlap') return edit('agent', overlapRegions.slice(region, region + 1));
  if (act === 'pull') {
    const touched = [...setting.partnerRegions.slice(0, bits >> 2), ...chosen(overlapRegions, bits & 3)];
    return tool('git_pull', { branch: 'partner' }, { touched: symbols(touched) });
  }
  if (act === 'adapt')
    return tool(
      'rework',
      { onto: 'partner', symbols: symbols(chosen(overlapRegions, bits)) },
      { saved: true },
    );
  if (act === 'push') return tool('git_push', { branch: 'agent' }, { pushed: true });
  return tool(
    'run_tests',
    { branches: ['agent', 'partner'] },
    {
      passed: (bits & 1) === 1,
      conflicts: symbols(chosen(overlapRegions, (bits >> 1) & 3)),
      incomplete: symbols(chosen(overlapRegions, (bits >> 3) & 3)),
      unfinished: [...(bits & 32 ? ['agent'] : []), ...(bits & 64 ? ['partner'] : [])],
    },
  );
}

/** Acts of the partner that always do something in the repository. */
export const PARTNER_CALLS: ReadonlySet<string> = new Set([
  'edit-own',
  'edit-overlap',
  'break-promise',
  'adapt',
  'report-edit',
  'done',
]);

/** One of PARTNER_CALLS, or a change of plan that is an edit. */
export function partnerTool(setting: PairSetting, act: string, region: number, bits: number): Tool {
  const { overlapRegions, partnerRegions } = setting;
  if (act === 'edit-own') return edit('partner', partnerRegions.slice(region, region + 1));
  if (act === 'edit-overlap' || act === 'break-promise' || act === 'change-plan')
    return edit('partner', overlapRegions.slice(region, region + 1));
  if (act === 'adapt')
    return tool('rework', { onto: 'agent', symbols: symbols(chosen(overlapRegions, bits)) }, { saved: true });
  return tool('git_push', { branch: 'partner' }, { pushed: true });
}

function edit(branch: string, regions: readonly Region[]): Tool {
  const changes = regions.map(({ symbol, file }) => ({ symbol, file }));
  return tool('edit_file', { branch, changes }, { saved: true });
}

function tool(name: string, args: unknown, answer: unknown): Tool {
  return { call: { name, arguments: args }, answer: JSON.stringify(answer) };
}

function chosen(regions: readonly Region[], bits: number): Region[] {
  return regions.filter((_, o) => ((bits >> o) & 1) === 1);
}

function symbols(regions: readonly Region[]): string[] {
  return regions.map(({ symbol }) => symbol);
}
