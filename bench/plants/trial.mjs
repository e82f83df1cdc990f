// Planted rows through a gate, data set by data set, as a curation meets them.
import { plant } from './index.mjs';

/** Checks that are meant for a kind; none for controls. `judge:` ones only where a model is asked. */
export const INTENDED = {
  'infrastructure failure': ['infrastructure-failure'],
  'role reversal': ['role-reversal'],
  'leaked instructions': ['leaked-instructions'],
  'leaked scenario, verbatim': ['leaked-scenario'],
  'leaked scenario, edited': ['leaked-scenario'],
  'raw JSON as a user turn': ['raw-json'],
  'candidate list as a user turn': ['raw-json'],
  'premature stop': ['premature-stop'],
  'repeats itself': ['repeats-itself'],
  'contradicts its task, by an id': ['contradicts-task'],
  'contradicts its task, in words': ['contradicts-task'],
  'degenerate text of the user': ['degenerate-text'],
  'invalid reward': ['invalid-reward'],
  'missing reward among rewarded rows': ['missing-reward'],
  'duplicate, outside groups': ['duplicate'],
  'equal words, other facts': ['duplicate'],
  'role reversal, in words of the topic': ['role-reversal'],
};

const COMPANY = 50;

/** Both passes of a gate over rows: its verdicts, in the order of the rows. */
export function judged(gate, episodes) {
  for (const episode of episodes) gate.observe(episode);
  return episodes.map((episode) => gate.inspect(episode));
}

/**
 * Plants one kind and asks the gate. @param corpora lists of hosts @param gateOf a fresh gate for a corpus's number
 * @returns rows {form, host, episode, verdict, dropped, by}: `by` are the checks that dropped it. Of a duplicate and
 *   its original either may go; both going counts as no catch.
 */
export function trial(kind, corpora, count, drawing, gateOf) {
  const corpusOf = new Map(corpora.flatMap((hosts, corpus) => hosts.map((host) => [host, corpus])));
  const planted = plant(kind, corpora, count, drawing);
  return corpora.flatMap((hosts, corpus) => {
    const rows = planted.filter((row) => corpusOf.get(row.host) === corpus);
    if (rows.length === 0) return [];
    const taken = new Set(rows.map((row) => row.host));
    const beside =
      kind.beside === 'rewarded'
        ? hosts
            .filter((host) => !taken.has(host) && host.episode.reward !== null)
            .slice(0, COMPANY)
            .map((host) => host.episode)
        : rows.flatMap((row) => (row.original === null ? [] : [row.original]));
    const verdicts = judged(gateOf(corpus), [...beside, ...rows.map((row) => row.episode)]);
    const originals = kind.beside === 'original' ? verdicts.slice(0, rows.length) : null;
    return rows.map((row, at) => {
      const own = verdicts[beside.length + at];
      const other = originals?.[at] ?? null;
      const verdict = !own.kept || other === null ? own : other;
      const both = other !== null && !own.kept && !other.kept;
      const dropped =
        kind.expect === 'keep' ? !own.kept || (other !== null && !other.kept) : !verdict.kept && !both;
      return {
        ...row,
        corpus,
        verdict,
        dropped,
        by: [...new Set(verdict.findings.map((finding) => finding.check))],
      };
    });
  });
}
