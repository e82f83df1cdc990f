import type { SimulatorReport } from '../../../src/audit/report-data.ts';

/** Chooses the simulator that map, modes and drivers look at. */
export function SimulatorSelect({
  simulators,
  focus,
  setFocus,
  all = 'All simulators',
}: {
  simulators: readonly SimulatorReport[];
  focus: string | null;
  setFocus: (id: string | null) => void;
  all?: string | null;
}) {
  // The position is the option's value: an id may be the empty string.
  const at = simulators.findIndex(({ id }) => id === focus);
  return (
    <label class="select">
      <span>Simulator</span>
      <select
        value={String(at)}
        onChange={(event) => setFocus(simulators[Number(event.currentTarget.value)]?.id ?? null)}
      >
        {all !== null && <option value="-1">{all}</option>}
        {simulators.map(({ id }, place) => (
          <option key={id} value={String(place)}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}
