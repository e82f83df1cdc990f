import type { Random } from '../../math/index.ts';
import type { LabContext } from './context.ts';

const STATES = ['open', 'settled', 'pending', 'cancelled', 'delayed'];

/** A record as a service's tools answer it, a few hundred bytes of JSON; numbers differ from call to call. */
export function toolAnswer({ slots }: LabContext, random: Random): string {
  const entries = 1 + random.integer(4);
  const items = Array.from({ length: entries }, () => {
    const draw = random.integer(1 << 30);
    return {
      number: `HAT${100 + (draw % 900)}`,
      date: slots.date,
      price: (draw >> 3) % 900,
      status: STATES[(draw >> 7) % STATES.length],
      seats: (draw >> 11) % 40,
    };
  });
  return JSON.stringify({
    code: slots.code,
    customer: slots.id,
    name: slots.name,
    origin: slots.city,
    destination: slots.other,
    amount: slots.price,
    items,
    created: `2025-${1 + random.integer(12)}-${1 + random.integer(28)}T${random.integer(24)}:${random.integer(60)}`,
  });
}
