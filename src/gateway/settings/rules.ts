import { z } from 'zod';

// Rules of what people and trainers write. The message of each is what is allowed, so that a fault can say it.

/** Of no other keys. */
export const mapping = <T extends z.ZodRawShape>(shape: T, error = 'a mapping') =>
  z.strictObject(shape, { error });

export const whole = (least: number, most: number) => {
  const error = `a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};

export const number = (least: number, most: number) => {
  const error = `a number from ${least} to ${most}`;
  return z.number({ error }).min(least, { error }).max(most, { error });
};

/** Not empty, of at most `most` characters. */
export const text = (what: string, most = 2000) =>
  z.string({ error: what }).min(1, { error: what }).max(most, { error: what });

export const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, { error: `one of ${names.join(', ')}` });

export const orNull = <T extends z.ZodType>(type: T, error: string) => z.union([type, z.null()], { error });

export const flag = z.boolean({ error: 'true or false' });
