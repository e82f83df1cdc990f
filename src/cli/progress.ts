import { Listr, ListrLogger, type ListrTaskWrapper, ProcessOutput } from 'listr2';

/**
 * Says how far a stage is; the first word of a stage ends those before it. `total` is null where unknown, `note` what
 * else there is to see.
 */
export type Progress<Stage extends string> = (
  stage: Stage,
  done: number,
  total: number | null,
  note?: string,
) => void;

/**
 * Runs `work` with a line per stage on standard error: a live bar on a terminal, plain lines every few seconds
 * otherwise. Standard output stays free for what was asked for.
 */
export async function followStages<Stage extends string, T>(
  titles: Readonly<Record<Stage, string>>,
  work: (progress: Progress<Stage>) => Promise<T>,
  quiet = false,
): Promise<T> {
  if (quiet) return work(() => {});
  const stages = Object.keys(titles) as Stage[];
  const live = process.stderr.isTTY === true && process.stdout.isTTY === true;
  const lines = stages.map((stage) => new StageLine(titles[stage], live));
  let current = 0;
  const result = work((stage, done, total, note) => {
    const at = stages.indexOf(stage);
    for (; current < at; current++) lines[current]!.finish();
    lines[at]?.say(done, total, note);
  });
  // Handled below; without this a failure before the first await would count as unhandled.
  result.catch(() => {});
  result.then(
    () => {
      for (const line of lines) line.finish();
    },
    (error: unknown) => {
      for (const line of lines.slice(0, current)) line.finish();
      for (const line of lines.slice(current)) line.fail(error);
    },
  );
  await render(lines, live).catch(() => {});
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: the wrapper is generic over renderers; only its title is used.
type Handle = ListrTaskWrapper<any, any, any>;

class StageLine {
  readonly title: string;
  readonly #every: number;
  readonly #live: boolean;
  readonly #end: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #handle: Handle | null = null;
  #last = Date.now();
  #done = 0;

  constructor(title: string, live: boolean) {
    this.title = title;
    this.#live = live;
    this.#every = live ? 120 : 5000;
    this.#end = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#end.catch(() => {});
  }

  async follow(handle: Handle): Promise<void> {
    this.#handle = handle;
    await this.#end;
    if (this.#done > 0) handle.title = `${this.title}: ${this.#done.toLocaleString('en')}`;
  }

  say(done: number, total: number | null, note?: string): void {
    this.#done = done;
    if (done === 0 && !this.#live) return;
    const now = Date.now();
    if (now - this.#last < this.#every) return;
    this.#last = now;
    const known = total !== null && total > 0;
    const of = known ? ` of ${total.toLocaleString('en')} (${Math.floor((100 * done) / total)} %)` : '';
    const text = `${done.toLocaleString('en')}${of}${note === undefined ? '' : ` ${note}`}`;
    if (!this.#live) process.stderr.write(`  ${this.title}: ${text}\n`);
    else if (this.#handle !== null)
      this.#handle.title = `${this.title} ${known ? `${bar(done / total)} ` : ''}${text}`;
  }

  finish(): void {
    this.#resolve();
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}

async function render(lines: readonly StageLine[], live: boolean): Promise<void> {
  const logger = new ListrLogger({
    useIcons: live,
    processOutput: new ProcessOutput(process.stderr, process.stderr),
  });
  const tasks = lines.map((line) => ({
    title: line.title,
    task: (_: unknown, handle: Handle) => line.follow(handle),
  }));
  // The command prints its own error, once, with a code; it also owns the signal handlers.
  const shared = { exitOnError: true, registerSignalListeners: false } as const;
  if (live)
    await new Listr(tasks, {
      ...shared,
      renderer: 'default',
      rendererOptions: { logger, showErrorMessage: false, collapseErrors: true },
    }).run();
  else await new Listr(tasks, { ...shared, renderer: 'simple', rendererOptions: { logger } }).run();
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * 20);
  return `[${'='.repeat(full)}${' '.repeat(20 - full)}]`;
}
