/** Characters of a turn in which alternatives are looked for. */
const READ = 8000;

const SHARE = String.raw`(?:[01]?\.\d{1,4}|[01]|\d{1,3}(?:\.\d{1,2})? ?%)`;
/** A share by its name: nobody speaks of the probability of what they say twice in one turn. */
const NAMED = new RegExp(
  String.raw`\b(?:prob(?:ability)?|likelihood|logprob|log_prob|p)\b["'*]{0,3} {0,2}(?:[:=≈~]|of|is|-|—|–)? {0,2}["'*]{0,3}-?${SHARE}(?![\w.]*\d)`,
  'gi',
);
/** Where an unnamed share stands: alone in brackets, at the end of a line or cell, or at its head. */
const PLACES: readonly RegExp[] = [
  new RegExp(String.raw`[[({,|/]\s{0,3}(${SHARE})\s{0,3}[\])}]`, 'g'),
  new RegExp(String.raw`(?<![\d.,$€£])[ \t|=:>-](${SHARE})[ \t]{0,3}[|"'*]{0,3}$`, 'gm'),
  new RegExp(
    String.raw`^[ \t]{0,8}(?:[-*•] |\d{1,2}[.)] )?[[({*"|]{0,3} ?(${SHARE}) ?(?:[\])}*"|]{1,3}|[:,=-]|[-=]?>|→|—|–)`,
    'gm',
  ),
  new RegExp(String.raw`=["']?(${SHARE})["']?(?=[\s/>])`, 'g'),
];
/** Cheap sign of a share. */
const MAY_SCORE = /[01]?\.\d|\d ?%/;

/** Names of what a simulator was asked for several of, with a number or letter. */
const LABEL =
  /^[ \t]{0,8}(?:[-*•>] |\*{1,3}|#{1,4} |[[(<]|"){0,3}(?:(?:possible|alternative|candidate|sample|user|customer|next|potential|generated) )?(response|candidate|reply|sample|utterance|variant|variation|completion|alternative|(?:user |customer )(?:message|reply|response|turn)|option|version|choice|message|answer|draft)[ _-]?#?(?:\d{1,2}|[A-H])(?:[ \t]?(?:\*{1,3}|[\])>"]|[([][^\n)\]]{0,40}[)\]])){0,3}(?:[ \t]?[:.)|-]|[ \t]?[—–]|[ \t]*$)[ \t*]{0,4}([^\n]*)(?=(?:\n[ \t]*([^\n]*))?)/gim;
/** People have options and versions too; then only what stands in quotes is a reply. */
const OF_PEOPLE = /^(?:option|version|choice|message|answer|alternative|draft)$/i;

const ANNOUNCED =
  /\b(?:here are|below are|these are|i(?:'ll| will) (?:give|provide|generate|list)|generated?) (?:[\w-]+ ){0,3}(?:possible|candidate|potential|alternative|sample|different|plausible|likely|diverse|user|varied)(?: [\w-]+){0,2}? (?:responses?|replies|messages|turns|utterances|candidates|answers|versions|variations)\b/i;
const HEADED =
  /^\W{0,6}(?:[\w-]+ ){0,3}(?:possible|candidate|potential|alternative|sample|plausible|diverse|varied|generated)(?: [\w'-]+){0,2}? (?:responses?|replies|messages|turns|utterances|candidates|answers|versions|variations)\b[^.\n]{0,60}:\W{0,4}\n\s*(?:[-*•"]|\d|[a-e][.)])/i;

/** Words of somebody who speaks to somebody, at least one of which almost every reply has. */
const SPEECH =
  /\b(?:i|i'm|i'd|i'll|i've|you|your|me|my|we|please|yes|yeah|no|not|thanks?|ok|okay|sure|what|how|why|can|could|would|that|it|this|is|are|do|don't|hi|hello|hey)\b/i;

/**
 * Whether a turn is several replies to choose from. What makes it one is its structure, in any notation: pieces of
 * speech of which each carries a share of about one in all, or the name of a candidate. Lists of things with prices,
 * parts in percent and options to which a person refers have no such pieces.
 */
export function isCandidateList(text: string): boolean {
  const body = text.length > READ ? text.slice(0, READ) : text;
  if (MAY_SCORE.test(body) && ((body.match(NAMED)?.length ?? 0) >= 2 || isScored(body))) return true;
  return isLabelled(body) || ANNOUNCED.test(body) || HEADED.test(body);
}

/** People part things in percent too, and seldom in so many parts, each a sentence. */
const FEWEST_PERCENT = 4;

function isScored(body: string): boolean {
  for (const place of PLACES) {
    let sum = 0;
    let pieces = 0;
    let speech = 0;
    let long = 0;
    let from = 0;
    let percent = false;
    for (const match of body.matchAll(place)) {
      const piece = body.slice(from, match.index);
      from = match.index + match[0].length;
      const value = portionOf(match[1]!);
      if (value > 1) return false;
      percent ||= place !== PLACES[0] && match[1]!.endsWith('%');
      sum += value;
      pieces++;
      // A share at the head has its piece behind it.
      const said = place === PLACES[2] ? body.slice(from, from + 300).split('\n', 1)[0]! : piece;
      if (SPEECH.test(said)) speech++;
      if (/\w\W+\w+\W+\w/.test(said)) long++;
    }
    if (
      pieces >= (percent ? FEWEST_PERCENT : 2) &&
      speech >= 0.6 * pieces &&
      long >= 0.5 * pieces &&
      sum > 0.5 &&
      sum < 1.15 &&
      body.length - from < 0.4 * body.length + 40
    )
      return true;
  }
  return false;
}

function portionOf(share: string): number {
  return share.endsWith('%') ? Number.parseFloat(share) / 100 : Number(share);
}

function isLabelled(body: string): boolean {
  if (!body.includes('\n')) return false;
  let named = 0;
  let quoted = 0;
  for (const match of body.matchAll(LABEL)) {
    if (!OF_PEOPLE.test(match[1]!)) named++;
    const said = match[2]!.trim() === '' ? (match[3] ?? '') : match[2]!;
    if (/^[\s*:-]{0,4}["“][^\n]*["”][\s,.*]*$/.test(said)) quoted++;
  }
  if (named >= 2 || quoted >= 2) return true;
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  // Who answers several questions writes 1. and a), not [1].
  return (
    lines.length >= 3 &&
    lines.every((line) => /^\s{0,8}\[\d{1,2}\]\s/.test(line)) &&
    lines.filter((line) => SPEECH.test(line)).length >= 0.7 * lines.length
  );
}
