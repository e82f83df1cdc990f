import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';

/** Where the pages say that a gateway listens. Examples run beside one another: each gets a free port instead. */
export const SHOWN_URL = 'http://127.0.0.1:8420';

/** What the commands of one page share: variables, and the gateway that one of them has started. */
export interface ServedExamples {
  readonly environment: Readonly<Record<string, string>>;
  /** A text with the running gateway's address in place of the one that the pages show. */
  addressed(text: string): string;
  /** Whether a line is one of those that `run` knows: a gateway that goes on, `curl`, `export`. */
  takes(line: string): boolean;
  run(line: string, where: string): Promise<void>;
  /** As a supervisor does; the gateway must end by itself. */
  stop(): Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ended: Promise<number | null>;
}

const isGateway = (line: string) =>
  /^(\w+=\S+ +)*collapse-aware gateway\b/.test(line) && !line.includes('--dry-run');

export function servedExamples(cwd: string): ServedExamples {
  const environment: Record<string, string> = {};
  let running: Running | null = null;
  const variables = () => ({
    ...process.env,
    ...environment,
    PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`,
  });

  const stop = async () => {
    if (running === null) return;
    const { child, ended } = running;
    running = null;
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  };

  const begin = (line: string): Promise<Running> => {
    const child = spawn(
      'bash',
      ['-c', `exec ${line.replace('collapse-aware gateway', 'collapse-aware gateway --port 0')}`],
      { cwd, env: variables(), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = new Promise<number | null>((done) => child.on('close', done));
    return new Promise((done, fail) => {
      let said = '';
      child.stderr!.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const [, url] = /^listening on (http:\S+)/m.exec(said) ?? [];
        const [, key] = /^dashboard: \S+#key=(\S+)\n/m.exec(said) ?? [];
        if (url === undefined || !/^dashboard: .*\n/m.test(said)) return;
        if (key !== undefined) environment.CA_ADMIN_KEY = key;
        done({ child, url, ended });
      });
      void ended.then((status) => fail(new Error(`"${line}" ended with status ${status}\n${said}`)));
    });
  };

  const addressed = (text: string) => text.replaceAll(SHOWN_URL, running?.url ?? SHOWN_URL);

  const curl = (line: string): Promise<{ readonly status: number | null; readonly said: string }> => {
    const command = line.replace(/ +# .*$/, '');
    const asked = `${addressed(command)} -w '\\nHTTP %{http_code}'`;
    const child = spawn('bash', ['-c', asked], { cwd, env: variables(), stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream!.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    return new Promise((done) => child.on('close', (status) => done({ status, said })));
  };

  return {
    environment,
    addressed,
    stop,
    takes: (line) => isGateway(line) || /^(curl|export) /.test(line),
    async run(line, where) {
      const [, name, value] = /^export (\w+)=(\S*)/.exec(line) ?? [];
      if (name !== undefined) {
        // One that was printed stands for itself; of others the page shows no more than the beginning.
        if (!value!.endsWith('...')) environment[name] = value!;
        else environment[name] ??= `${name}-of-the-test`;
        return;
      }
      if (isGateway(line)) {
        await stop();
        running = await begin(line);
        return;
      }
      const { status, said } = await curl(line);
      const wanted = / # answers (\d{3})/.exec(line)?.[1] ?? '2\\d\\d';
      expect(said, `${where}: ${line}`).toMatch(new RegExp(`^HTTP ${wanted}$`, 'm'));
      expect(status, `${where}: ${line}\n${said}`).toBe(0);
    },
  };
}
