import { z } from 'zod';
import { AUDIT_SCHEMA, type AuditReport } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { Figure } from '../metrics/index.ts';

const numberOrNull = z.number().nullable();
const count = z.number().int().min(0);

const fields = {
  value: numberOrNull,
  low: numberOrNull,
  high: numberOrNull,
  n: count,
  method: z.string(),
  unit: z.string().optional(),
  reason: z.string().optional(),
  se: z.number().optional(),
  df: z.number().optional(),
  detectable: z.number().optional(),
};

/** A figure, with what else stands in it. */
function figureWith<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .looseObject({ ...fields, ...shape })
    .refine(
      (found) => sound(found as unknown as Figure),
      'a null without a reason, or a value outside its interval',
    );
}

function sound({ value, low, high, reason }: Figure): boolean {
  if (value === null) return reason !== undefined;
  return (low ?? value) <= value && value <= (high ?? value);
}

const figure = figureWith({});

const verdict = z.looseObject({
  mode: z.string(),
  level: z.string(),
  evidence: z.array(z.string()),
  confidence: numberOrNull,
  advice: z.array(z.string()),
});

/** What a comparison reads of a report; anything else may stand beside it. */
const reportSchema = z.looseObject({
  schema: z.literal(AUDIT_SCHEMA),
  version: z.string(),
  headline: z.string(),
  space: z.looseObject({
    id: z.string(),
    k: count,
    control: z.string(),
    controlReason: z.string(),
    unit: z.string(),
    unitReason: z.string(),
  }),
  simulators: z.array(
    z.looseObject({
      id: z.string(),
      policies: z.array(z.string()),
      mci: figure,
      spread: figure,
      outside: figure,
      bdi: z.looseObject({ mass: figure }),
    }),
  ),
  reference: z.looseObject({}).nullable(),
  scd: z.looseObject({
    pooled: figure,
    pooled2: figure,
    pooled2Within: figure,
    pooled2Alike: figure,
    conditional: figure,
  }),
  bdi: z.looseObject({ headline: figure, mass: figure, realism: figure, g0: numberOrNull }),
  psod: figureWith({ rise: figure }),
  epsilon: z.looseObject({ member: figure }),
  health: z.looseObject({ zeroVariance: z.looseObject({ share: figure }) }),
  confounds: z.array(z.looseObject({ kind: z.string(), simulator: z.string().nullable(), text: z.string() })),
  diagnosis: z.array(verdict),
  input: z.looseObject({ rows: count, kept: count }),
});

/**
 * Reads what `audit --json` printed, as far as a comparison needs it.
 * @throws CA_JSON_INVALID, CA_FORMAT_INVALID with the path of what is broken.
 */
export function decodeReport(text: string, file?: string): AuditReport {
  const place = file === undefined ? {} : { file };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CollapseAwareError('CA_JSON_INVALID', 'the report is not whole', {
      place,
      todo: 'write it again with audit --json FILE',
      cause,
    });
  }
  const result = reportSchema.safeParse(value);
  if (result.success) return value as AuditReport;
  const issue = result.error.issues[0]!;
  const at = issue.path.map(String).join('.');
  throw new CollapseAwareError(
    'CA_FORMAT_INVALID',
    `this is no report of schema ${AUDIT_SCHEMA}: ${at === '' ? 'the whole' : at}: ${issue.message}`,
    { place, todo: 'write it again with audit --json FILE of this version' },
  );
}
