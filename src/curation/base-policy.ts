import { CollapseAwareError } from '../errors.ts';
import type { CurationRows } from './rows.ts';

/**
 * The policy that gains are measured from, as `rows.policies` names it: given whole, or by its checkpoint alone where
 * one policy has it. By default the first checkpoint by number or name of the one policy there is; null where it has
 * only one, or where there are several policies. @throws CA_CONFIG_INVALID for a base that no row has.
 */
export function basePolicy(rows: Pick<CurationRows, 'policies'>, given: string | null): string | null {
  const { policies } = rows;
  if (given === null) {
    // Of several policies none is the base of the others.
    if (policies.length < 2 || new Set(policies.map(policyId)).size > 1) return null;
    return [...policies].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }) || (a < b ? -1 : 1))[0]!;
  }
  if (policies.includes(given)) return given;
  const named = policies.filter((policy) => policy.endsWith(`@${given}`));
  if (named.length === 1) return named[0]!;
  const known = [...policies].sort().slice(0, 8).join(', ');
  throw new CollapseAwareError(
    'CA_CONFIG_INVALID',
    named.length > 1
      ? `advantage.consistency.base: several policies have the checkpoint "${given}" (${named.sort().join(', ')})`
      : `advantage.consistency.base: no row is of the policy or checkpoint "${given}"`,
    { todo: `name one of ${known}` },
  );
}

function policyId(name: string): string {
  return name.includes('@') ? name.slice(0, name.lastIndexOf('@')) : name;
}
