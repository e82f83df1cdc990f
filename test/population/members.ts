import fc from 'fast-check';

/** A written member; its family is its own unless one is given. */
export const member = (id: string, more: object = {}) => ({
  id,
  family: `family-${id}`,
  model: `m-${id}`,
  ...more,
});

export const panels = (more: object = {}) => ({
  schema: 'collapse-aware/panels@1',
  seen: [member('a')],
  selection: [member('b')],
  test: [member('c')],
  ...more,
});

/** Ids as hostile as ids may be: other alphabets, quotes, names of object members. */
export const ids = (minLength = 1) =>
  fc.uniqueArray(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 12 }).map((text) => `i${text.replace(/\p{Cc}/gu, '')}`),
      fc.constantFrom('__proto__', 'constructor', 'é', 'e\u0301', '名', '"', ']'),
    ),
    { minLength, maxLength: 8 },
  );

export const named = (list: readonly string[]) => list.map((id) => ({ id }));
