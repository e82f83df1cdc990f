/** Labels by mode number; the list of modes need not be whole or in order. */
export function labeller(
  modes: readonly { readonly mode: number; readonly label: string }[],
): (mode: number) => string {
  const labels = new Map(modes.map(({ mode, label }) => [mode, label]));
  return (mode) => {
    const label = labels.get(mode) ?? '';
    // A number alone says no more than the mode's own.
    return label === '' || /^mode \d+$/.test(label) ? 'no habit stands out' : label;
  };
}
