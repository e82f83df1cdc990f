import type { Live } from '../live/start-live.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { WindowConcentration } from '../steering/index.ts';

/**
 * MCI of simulators in the live window as it stood when the epoch under way began (or the gateway started), so that
 * what is asked twice within an epoch is answered alike. Read in the background: nobody who asks waits for figures, and
 * until there are some each batch's own stand.
 */
export function windowConcentration(
  live: Pick<Live, 'metrics'>,
  recorder: Pick<Recorder, 'subscribe'>,
): WindowConcentration {
  let known: ReadonlyMap<string, number> = new Map();
  const read = () =>
    live.metrics().then(
      ({ report }) => {
        const simulators = report?.simulators ?? [];
        known = new Map(simulators.flatMap(({ id, mci }) => (mci.value === null ? [] : [[id, mci.value]])));
      },
      // Figures that cannot be had now: those of the epoch before stay.
      () => {},
    );
  recorder.subscribe(({ kind }) => {
    if (kind === 'epoch') void read();
  });
  void read();
  return (simulator) => known.get(simulator) ?? null;
}
