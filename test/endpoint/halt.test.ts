import { describe, expect, it } from 'vitest';
import { Halt } from '../../src/endpoint/halt.ts';

describe('a halt', () => {
  it('tells each listener once, and keeps its first reason', () => {
    const halt = new Halt();
    let told = 0;
    halt.addEventListener('abort', () => {
      told += 1;
    });
    expect(halt.aborted).toBe(false);
    expect(() => halt.throwIfAborted()).not.toThrow();
    halt.raise('first');
    halt.raise('second');
    expect(told).toBe(1);
    expect(halt.reason).toBe('first');
    expect(() => halt.throwIfAborted()).toThrow('first');
  });

  it('tells nobody who has left', () => {
    const halt = new Halt();
    const told: string[] = [];
    const leaver = () => told.push('leaver');
    halt.addEventListener('abort', leaver);
    halt.addEventListener('abort', () => told.push('other'));
    halt.removeEventListener('abort', leaver);
    halt.raise('over');
    expect(told).toEqual(['other']);
  });

  it.each([
    ['a signal of the platform', () => new AbortController()],
    ['another halt', () => ({ signal: new Halt(), abort: null })],
  ])('follows %s until it is released', (_, make) => {
    const outer = make();
    const abort = (reason: string) =>
      outer instanceof AbortController ? outer.abort(reason) : (outer.signal as Halt).raise(reason);
    const tied = new Halt(outer.signal);
    const freed = new Halt(outer.signal);
    freed.release();
    abort('gone');
    expect([tied.aborted, tied.reason]).toEqual([true, 'gone']);
    expect(freed.aborted).toBe(false);
    expect(new Halt(outer.signal).reason).toBe('gone');
  });
});
