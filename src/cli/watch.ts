import { userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Bars } from '../diagnosis/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { BehaviourSpace, Control } from '../space/index.ts';
import { StoreLock } from '../store/index.ts';
import { hashText } from '../trajectory/identity.ts';
import { type EmbedderFlags, openEmbedder, reportUsage, withEmbedderOptions } from './embedder.ts';
import { type InputFlags, names, openInput, pattern, wholeNumber, withInputOptions } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { rangeArgument } from './measure-options.ts';
import { openReference, type ReferenceFlags, withReferenceOptions } from './reference-options.ts';
import { readSpace } from './space-file.ts';
import { tell } from './terminal.ts';
import type { StepFrom } from './watch-folder.ts';
import { follow } from './watch-follow.ts';
import { watchLine } from './watch-line.ts';
import { steerStored } from './watch-operator.ts';
import { durationArgument, leaveRequest, levelArgument, makeHome, untilArgument } from './watch-requests.ts';
import { type SessionOptions, WatchSession } from './watch-session.ts';
import { WatchStore } from './watch-state.ts';

interface WatchFlags extends InputFlags, ReferenceFlags, EmbedderFlags {
  readonly heldOut?: string[];
  readonly rewardRange?: readonly [number, number];
  readonly space?: string;
  readonly warmUp?: number;
  readonly k?: number;
  readonly seed: number;
  readonly window: number;
  readonly control?: Control;
  readonly stepFrom: StepFrom;
  readonly interval: number;
  readonly once?: boolean;
  readonly json?: boolean;
  readonly gateFile?: string;
  readonly plannedSteps?: number;
  readonly thresholds?: 'people' | 'proposed' | Bars;
  readonly baseline: number;
  readonly timeLimit?: number;
  readonly override?: 'green' | 'yellow' | 'red';
  readonly until?: number;
  readonly release?: boolean;
  readonly by?: string;
  readonly reason: string;
  readonly store: string;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware watch rollouts/ --reference people.jsonl --gate-file gate.json
  $ collapse-aware watch verl-dumps/ --simulator gpt-5 --planned-steps 250 --gate-file gate.json
  $ collapse-aware watch completions/ --space space.json --held-out panel-a,panel-b --reward-range 0,1 --json
  $ collapse-aware watch rollouts/ --once
  $ collapse-aware watch rollouts/ --override green --until 2h --reason 'new personas are in'

The trainer polls the gate file: "training" is "go" or "hold" (docs/watch.md has ten lines for it).
Steps done are kept under --store: start again with the same options and the watch goes on where it was.
Ctrl-C ends it with status 0.`;

export function watchCommand(): Command {
  const command = new Command('watch')
    .description(
      "Follow a trainer's per-step rollout dumps: one line a step, and a gate file for the trainer.",
    )
    .argument('<dir>', 'folder the trainer writes its rollouts to')
    .option('--once', 'process what is there and stop')
    .addOption(
      new Option('--interval <time>', 'how often to look, e.g. 500ms, 2s, 1m')
        .argParser(durationArgument)
        .default(2000, '2s'),
    )
    .option('--json', 'print one JSON object a step instead of a line')
    .option('--gate-file <file>', 'keep the breaker level in this file, for the trainer to poll')
    .option('--window <steps>', 'steps that enter one figure', atLeast(1), 1)
    .option(
      '--step-from <where>',
      'name, rows, or a pattern on the path whose first group is the step; name falls back to rows',
      stepFromArgument,
      'name',
    )
    .option('--space <file>', 'measure in this saved space instead of fitting one')
    .option(
      '--warm-up <steps>',
      'steps the space is fitted on (default: 5; 1 with --reference or --space)',
      atLeast(1),
    )
    .option('--held-out <simulators>', 'simulators the policy does not train on, by comma (for PSOD)', names)
    .option(
      '--reward-range <low,high>',
      'lowest and highest possible reward (default: as seen)',
      rangeArgument,
    )
    .option(
      '--planned-steps <number>',
      'steps of the run, for the false-alarm rate (default: unknown)',
      atLeast(1),
    )
    .option(
      '--thresholds <which>',
      'SCD2 that sets yellow and red: people (theirs + 0.2), proposed (0.7,0.85) or two numbers (default: people with --reference)',
      thresholdsArgument,
    )
    .option('--baseline <steps>', 'first steps that the change rule learns from', atLeast(20), 20)
    .option(
      '--time-limit <time>',
      'red or half-open for longer asks for a probe, or falls back',
      durationArgument,
    )
    .option(
      '--override <level>',
      'set the level by hand (green, yellow, red) and exit; a running watch takes it',
      levelArgument,
    )
    .option('--until <time>', 'when the override lapses: 30m, 2h, or 2026-01-31T18:00Z', untilArgument)
    .option('--release', 'end the override and exit')
    .option('--by <name>', 'who overrides (default: the user of this process)')
    .option('--reason <text>', 'why', 'no reason given')
    .option('--k <number>', 'number of modes (default: n_fit / 15, at most 64)', wholeNumber)
    .option(
      '--control <which>',
      'how steps are compared: interaction or context (default: interaction)',
      controlArgument,
    )
    .option('--seed <number>', 'seed of every draw', wholeNumber, 0)
    .option('--store <dir>', 'where the state of watches is kept', '.collapse-aware')
    .option('-q, --quiet', 'nothing on standard error but faults');
  withEmbedderOptions(withInputOptions(withReferenceOptions(command)));
  return command.addHelpText('after', EXAMPLES).action(runWatch);
}

async function runWatch(dir: string, flags: WatchFlags): Promise<void> {
  const folder = resolve(dir);
  const home = join(resolve(flags.store), 'watch', nameOf(folder));
  await makeHome(home);
  if (flags.override !== undefined || flags.release === true) return operate(home, flags);
  if (flags.until !== undefined)
    throw new CollapseAwareError('CA_USAGE', '--until is given without --override', {
      todo: 'add --override LEVEL',
    });
  const lock = await lockOf(home, folder);
  const signal = interruptSignal();
  let session: WatchSession | null = null;
  let usage: Awaited<ReturnType<typeof openEmbedder>>['usage'] = () => [];
  try {
    const opened = await openEmbedder(flags, signal);
    usage = opened.usage;
    const gate = flags.gateFile === undefined ? null : resolve(flags.gateFile);
    const options = await sessionOptions(folder, gate, flags, opened.embedder, signal);
    session = await WatchSession.open(options, new WatchStore(home));
    await follow(session, {
      folder,
      except: ownFiles(flags, gate),
      stepFrom: flags.stepFrom,
      interval: flags.interval,
      once: flags.once === true,
      signal,
      open: options.open,
    });
    if (session.last === null)
      throw new CollapseAwareError('CA_INPUT_EMPTY', 'no step could be measured', {
        place: { file: dir },
        todo: 'check the folder, --format, --step-from and --simulator-role',
      });
  } catch (error) {
    // An interrupt can break whatever was under way; what is known is in memory, and is written again.
    if (!signal.aborted) throw error;
    await session?.close();
    if (flags.quiet !== true)
      tell(`stopped after ${session?.last == null ? 'no step' : `step ${session.last}`}`);
  } finally {
    await lock.release();
    reportUsage(usage);
  }
}

async function sessionOptions(
  folder: string,
  gate: string | null,
  flags: WatchFlags,
  embedder: SessionOptions['embedder'],
  signal: AbortSignal,
): Promise<SessionOptions> {
  const space: BehaviourSpace | null = flags.space === undefined ? null : await readSpace(flags.space);
  const people = await openReference(flags);
  const bars = flags.thresholds ?? (people === null ? 'proposed' : 'people');
  if (bars === 'people' && people === null)
    throw new CollapseAwareError('CA_USAGE', '--thresholds people needs people', {
      todo: 'add --reference FILES',
    });
  const warmUp = flags.warmUp ?? (people === null && space === null ? 5 : 1);
  const { heldOut = [], rewardRange = null, plannedSteps = null, timeLimit = null, control = null } = flags;
  const { seed, window, baseline, k } = flags;
  const strict = flags.strict === true;
  return {
    folder,
    gate,
    warmUp,
    strict,
    // Changing one of these would put two kinds of numbers into one run.
    settings: {
      '--format': flags.format ?? null,
      '--map': flags.map ?? null,
      '--simulator': flags.simulator ?? null,
      '--simulator-from': flags.simulatorFrom?.source ?? null,
      '--simulator-role': flags.simulatorRole ?? null,
      '--policy': flags.policy ?? null,
      '--step-from': flags.stepFrom instanceof RegExp ? flags.stepFrom.source : flags.stepFrom,
      '--embedder': embedder?.id ?? null,
      '--space': space?.id ?? null,
      '--reference': flags.reference ?? null,
      '--held-out': heldOut,
      '--reward-range': rewardRange,
      '--warm-up': warmUp,
      '--window': window,
      '--thresholds': bars,
      '--planned-steps': plannedSteps,
      '--baseline': baseline,
      '--control': control,
      '--k': k ?? null,
      '--seed': seed,
    },
    monitor: { seed, window, heldOut, rewardRange, bars, control, plannedSteps, baseline, timeLimit },
    audit: { seed, signal, ...(k === undefined ? {} : { k }) },
    space,
    embedder,
    open: (paths) => openInput(paths, flags),
    people,
    onRow: (row) => {
      process.stdout.write(`${flags.json === true ? JSON.stringify(row) : watchLine(row)}\n`);
    },
    say: (text) => {
      if (flags.quiet !== true || /^(not read|dropped|tried again)/.test(text)) tell(text);
    },
  };
}

/** What may stand in the watched folder and is no dump of the trainer. */
function ownFiles(flags: WatchFlags, gate: string | null): string[] {
  const given = [
    flags.store,
    ...(flags.reference ?? []),
    ...(flags.space === undefined ? [] : [flags.space]),
  ];
  return [...given.map((path) => resolve(path)), ...(gate === null ? [] : [gate])];
}

/** Leaves the request, and takes it at once where no watch is running. */
async function operate(home: string, flags: WatchFlags): Promise<void> {
  const by = flags.by ?? userInfo().username;
  const at = Date.now();
  await leaveRequest(
    home,
    flags.override === undefined
      ? { kind: 'release', at, by }
      : { kind: 'override', at, level: flags.override, by, reason: flags.reason, until: flags.until ?? null },
  );
  const lock = await StoreLock.take(join(home, 'lock'));
  if (lock === null) {
    tell('left for the running watch, which takes it at its next look');
    return;
  }
  try {
    const store = new WatchStore(home);
    const found = await store.load();
    if (found === null) {
      tell('no step was measured here yet: the first watch takes it');
      return;
    }
    for (const note of await steerStored(found.state, store, at)) tell(note);
  } finally {
    await lock.release();
  }
}

/** Watches of several folders share a store. */
function nameOf(folder: string): string {
  return `${basename(folder).replace(/[^\w.-]/g, '_')}-${hashText(folder).slice(0, 8)}`;
}

async function lockOf(home: string, folder: string): Promise<StoreLock> {
  const lock = await StoreLock.take(join(home, 'lock'));
  if (lock === null)
    throw new CollapseAwareError('CA_USAGE', 'another watch follows this folder with this store', {
      place: { file: folder },
      todo: 'stop it, or give another --store',
    });
  return lock;
}

function atLeast(least: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value < least) throw new InvalidArgumentError(`give at least ${least}`);
    return value;
  };
}

function stepFromArgument(text: string): StepFrom {
  return text === 'name' || text === 'rows' ? text : pattern(text);
}

function controlArgument(text: string): Control {
  if (text === 'interaction' || text === 'context') return text;
  throw new InvalidArgumentError('give interaction or context');
}

function thresholdsArgument(text: string): 'people' | 'proposed' | Bars {
  if (text === 'people' || text === 'proposed') return text;
  try {
    const [yellow, red] = rangeArgument(text);
    return { yellow, red };
  } catch {
    throw new InvalidArgumentError('give people, proposed, or yellow and red: 0.7,0.85');
  }
}
