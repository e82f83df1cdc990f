import type { Trajectory } from '../trajectory/trajectory.ts';

/** Tools by which a harness ends an episode: protocol, not behaviour. */
const HARNESS = new Set(['check_for_stop']);

/** Names of the tools the user's side called, in order; null where the user's side has no tools in this episode. */
export function userTools(trajectory: Trajectory): string[] | null {
  const names: string[] = [];
  for (const turn of trajectory.turns) {
    if (turn.role === 'user' && turn.toolCalls !== undefined)
      for (const call of turn.toolCalls) if (!HARNESS.has(call.name)) names.push(call.name);
  }
  return names.length > 0 ? names : null;
}

/** A tool's output that says it failed. */
export function failed(text: string | null): boolean {
  return text !== null && /^\W{0,3}(error|failed|exception|traceback)\b/i.test(text.slice(0, 40));
}

/** ln(1 + calls per user turn); NaN without tools. */
export function toolRate(tools: readonly string[] | null, userTurns: number): number {
  return tools === null ? Number.NaN : Math.log1p(tools.length / Math.max(1, userTurns));
}

/** Share of calls that go to another tool than the call before; NaN with fewer than two calls. */
export function toolSwitches(tools: readonly string[] | null): number {
  if (tools === null || tools.length < 2) return Number.NaN;
  let switches = 0;
  for (let at = 1; at < tools.length; at++) if (tools[at] !== tools[at - 1]) switches++;
  return switches / (tools.length - 1);
}
