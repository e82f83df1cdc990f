import type { ExamRow, LoopAnswer } from './answer.ts';
import type { ExamRequest } from './request.ts';
import { ask, type RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';
import { soundExam } from './sound-rows.ts';

/** An exam of a checkpoint; `name` is its own within the round. */
export interface Exam extends Pick<ExamRequest, 'checkpoint' | 'panel' | 'contexts'> {
  readonly name: string;
  /** In each context; default 1. */
  readonly dialogues?: number;
  readonly luck?: string | undefined;
}

/** Takes an exam and counts its cost. The panel `population` is the one in force. */
export function* examined(
  state: RunState,
  round: number,
  { name, checkpoint, panel, contexts, dialogues = 1, luck }: Exam,
): Generator<RunEvent, readonly ExamRow[], LoopAnswer | undefined> {
  const answer = yield* ask(round, {
    kind: 'exam',
    id: `round-${round}/exam/${name}`,
    checkpoint,
    panel,
    population: panel === 'population' ? state.inForce.population : [],
    contexts,
    dialogues,
    ...(luck === undefined ? {} : { luck }),
  });
  state.spend('probeEpisodes', answer.rows.length, answer.turns);
  return soundExam(answer.rows, state.open);
}
