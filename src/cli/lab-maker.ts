import {
  type Cell,
  type CellPlace,
  cellOf,
  makeSpace,
  readSpaceText,
  type SpaceText,
  type Study,
  worldName,
} from '../lab/stage-zero/index.ts';
import type { TrainingRun } from '../lab/trainer/index.ts';

/** How the space of a world and the cell of a finished run are made. */
export interface LabMaker {
  space(place: Pick<CellPlace, 'world' | 'horizon'>): Promise<SpaceText>;
  cell(run: TrainingRun, study: Study, place: CellPlace, space: SpaceText): Promise<Cell>;
}

/** Measured in the worlds' spaces; a space is read once. */
export function measuringMaker(): LabMaker {
  const read = new Map<string, ReturnType<typeof readSpaceText>>();
  return {
    space: makeSpace,
    cell: (run, study, place, text) => {
      const name = worldName(place);
      const space = read.get(name) ?? readSpaceText(text);
      read.set(name, space);
      return cellOf(run, study, space);
    },
  };
}
