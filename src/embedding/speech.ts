import type { Trajectory, Turn } from '../trajectory/trajectory.ts';

/** Harness signals (`###STOP###`, `###TRANSFER###`) are protocol, not words of the user. */
const SIGNAL = /###[A-Z][A-Z _-]*###/g;

/**
 * What a turn says, or null where it says nothing: a tool call only, an empty turn, a harness signal, a tool's
 * output that arrived as a user turn.
 */
export function spoken(turn: Turn): string | null {
  if (turn.text === null) return null;
  const text = turn.text.includes('###') ? turn.text.replace(SIGNAL, ' ').trim() : turn.text.trim();
  if (text === '' || (turn.role === 'user' && text.startsWith('API output:'))) return null;
  return text;
}

/** Texts of one side's spoken turns, in order. */
export function spokenTexts(trajectory: Trajectory, role: 'user' | 'agent'): string[] {
  const texts: string[] = [];
  for (const turn of trajectory.turns)
    if (turn.role === role) {
      const text = spoken(turn);
      if (text !== null) texts.push(text);
    }
  return texts;
}
