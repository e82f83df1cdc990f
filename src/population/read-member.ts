import { shown } from '../curation/recipe-fault.ts';
import { eachOnce, type PopulationFault, populationError, schemaFaults } from './fault.ts';
import type { Member } from './member.ts';
import { memberSchema } from './member-schema.ts';
import { type Named, resolveMember } from './resolve-member.ts';

export interface ReadMemberOptions {
  /** Where faults say the member was read from. */
  readonly file?: string;
  /** Written members that ids inside its recipe stand for. */
  readonly members?: readonly unknown[];
}

/**
 * A written member, checked, with every default filled in. Throws CA_CONFIG_INVALID naming every fault at once: key,
 * value found, allowed range.
 */
export function readMember(value: unknown, options: ReadMemberOptions = {}): Member {
  const faults: PopulationFault[] = [];
  const catalogue = new Map<string, Named>();
  for (const [i, other] of (options.members ?? []).entries()) {
    const read = memberSchema.safeParse(other);
    if (!read.success)
      for (const fault of schemaFaults(read.error, other, memberSchema))
        faults.push({ ...fault, path: `members[${i}]${fault.path === '' ? '' : `.${fault.path}`}` });
    else if (catalogue.has(read.data.id))
      faults.push({ path: `members[${i}].id`, found: shown(read.data.id), allowed: 'an id of its own' });
    else catalogue.set(read.data.id, { written: read.data, path: `members[${i}]` });
  }
  const read = memberSchema.safeParse(value);
  if (!read.success) faults.push(...schemaFaults(read.error, value, memberSchema));
  const member =
    read.success && faults.length === 0
      ? resolveMember(read.data, '', (id) => catalogue.get(id), [...catalogue.keys()], faults)
      : null;
  if (member === null) throw populationError(eachOnce(faults), 'the member', options.file);
  return member;
}
