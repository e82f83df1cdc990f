import type { Trajectory } from '../trajectory/trajectory.ts';

/** Names of the tools the user's side called, in order; null where the user's side has no tools in this episode. */
export function userTools(trajectory: Trajectory): string[] | null {
  const names: string[] = [];
  let any = false;
  for (const turn of trajectory.turns) {
    if (turn.role === 'user' && turn.toolCalls !== undefined)
      for (const call of turn.toolCalls) names.push(call.name);
    if (turn.role === 'tool' && turn.requestor === 'user') any = true;
  }
  return any || names.length > 0 ? names : null;
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

/** Entropy of the transitions between tools over ln of their number: 0 = one fixed order, 1 = any order. */
export function toolDisorder(tools: readonly string[] | null): number {
  if (tools === null || tools.length < 3) return Number.NaN;
  const pairs = new Map<string, number>();
  for (let at = 1; at < tools.length; at++) {
    const pair = `${tools[at - 1]}\u001f${tools[at]}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  const n = tools.length - 1;
  let entropy = 0;
  for (const pair of [...pairs.keys()].sort()) {
    const p = pairs.get(pair)! / n;
    entropy -= p * Math.log(p);
  }
  return entropy / Math.log(n);
}
