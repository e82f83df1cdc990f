import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatOrder } from '../../../src/lab/methods/seat-order.ts';

describe('the order of seats', () => {
  it('is in turn where all have as many, shifted by the step', () => {
    expect(seatOrder([2, 2, 2], 0)).toEqual([0, 1, 2, 0, 1, 2]);
    expect(seatOrder([2, 2, 2], 4)).toEqual([1, 2, 0, 1, 2, 0]);
    expect(seatOrder([3, 0, 1], 0)).toEqual([0, 2, 0, 0]);
  });

  it('gives everybody the seats it has', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }), fc.nat(1000), (seats, step) => {
        const counts = seats.map(() => 0);
        for (const who of seatOrder(seats, step)) counts[who]! += 1;
        expect(counts).toEqual(seats);
      }),
    );
  });
});
