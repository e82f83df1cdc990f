import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { firstMatch, speechOf } from '../speech.ts';

const NAME = 'leaked-instructions';

/** Marks of chat templates and reasoning blocks: nobody speaks these. */
const TEMPLATE =
  /<\|[a-z][\w:. -]{1,40}\|>|<\/?s>(?=\s*(?:user|human|system|assistant|\[INST\])|\s*$)|\[\/?INST\]|<<\/?SYS>>|<\/?(?:start|end)_of_turn>|<\/?think(?:ing)?>|<\/?(?:scenario|instructions?|persona|system_prompt|user_profile|user_goal|goal|reasoning|scratchpad|scratch_pad|reflection|thoughts?|analysis|plan|inner_thoughts?|inner_monologue|monologue|internal|task_description|conversation_history|stage_direction)>/i;

/** The same by other names, which code also has: only where a turn begins with it. */
const ROLE_MARK = /^\s{0,8}<\/?(?:user|system|assistant|agent|customer|human|role|task|prompt)>/i;

/** A line that begins with the name of a role, as transcripts have it. */
const ROLE_TAG =
  /(?:^|\n)[ \t]{0,8}(?:\*{1,2}|#{1,4} )?(?:user|human|assistant|ai assistant|agent|customer|system|persuadee|persuader|user response|user simulator|simulated user|customer service agent|representative|support|operator|advisor|caller|chatbot|clerk)(?:\*{1,2})?[ \t]?:(?:\*{1,2})?(?=\s)/i;

const MACHINERY = [
  /\b(?:i(?:'m| am|'ve been| was| have been)) (?:supposed|told|asked|instructed|meant|given instructions|prompted) to (?:act as|play the|play a|pretend|role-?play|simulate|(?:behave|speak|respond|reply) (?:as|like))\b/i,
  /\bi(?:'m| am| was)(?: not)? (?:supposed|instructed|told|meant|allowed)(?: not)? to (?:only )?(?:reveal|disclose|volunteer|give away|mention|share|provide)\b.{0,80}\b(?:unless|until|yet|only|if|at once|agent)\b/i,
  /\bi(?:'m| am) (?:playing|simulating|role-?playing|acting as|portraying) (?:the |a |an )?(?:role|part|user|customer|caller|persona|character|frustrated|impatient|\w+ (?:user|customer|caller))\b/i,
  /\bmy (?:role|task|job|goal|objective) (?:here |in this (?:conversation|dialogue|chat|task) )?is to (?:act|play|pretend|simulate|role-?play|respond|reply|behave|be the (?:user|customer)|get the agent|test)\b/i,
  /\bmy (?:assigned |given )(?:role|persona|scenario|task|goal|instructions?|character)\b|\b(?:my|the) (?:persona|character)(?:'s)? (?:is|has|would|should|wants|description|profile)\b/i,
  /\b(?:as|like) (?:the|my) (?:prompt|scenario|persona|script|user instructions?) (?:says?|states?|describes?|requires?|told me)\b/i,
  /\b(?:respond|reply|answer|speak|write|continue)(?:ing)? (?:only )?as (?:the|a) (?:user|customer|caller)\b/i,
  /\b(?:here(?:'s| is)|this is|below is) (?:my|the|a) (?:\w+ )?(?:user(?:'s)? )?(?:response|reply|message|turn|utterance) (?:as|from|for|of|in the role of) (?:the|a) (?:user|customer|persona|scenario)\b/i,
  /\b(?:the|this) (?:user|customer) (?:would|should|might|will|wants to|needs to|is supposed to) (?:likely |probably |now |then |most likely )?(?:say|reply|respond|ask|answer|now)\b|\bnext user (?:message|turn|reply|response)\b/i,
  /(?:^|\n)[ \t]{0,8}(?:#{2,4} |\[|\*\*)(?:system|instructions?|scenario|persona|user goal|guidelines|user|assistant|role)(?:(?:\]|:?\*\*)|[ \t]?:|(?=\n))/i,
  /^\s{0,20}(?:final (?:answer|response)|(?:user )?(?:response|reply|utterance)|output|user goal|user profile|reasoning|analysis)[ \t]?:\s/i,
  /\{\{?\s?(?:user_?(?:name|id|profile|instruction)|customer_name|persona|scenario|agent_message)\s?\}\}?|\[(?:your|insert|user|customer|enter)[ _](?:[\w']{2,20}[ _]?){1,3}\]/i,
  /\b(?:user|simulation|simulator|scenario|hidden|secret|private) (?:instructions?|prompt|guidelines|goal description)\b/i,
  /\bdo not (?:reveal|give away|disclose|break) (?:all )?(?:the|your|any|character) ?(?:instructions?|information at once|persona|scenario)?\b.{0,10}(?:\.|$)/i,
  /\bbreak(?:ing)? character\b|\bout of character\b|\bstay(?:ing)? in (?:character|role|persona)\b/i,
  // Prompts of tools, which stand in user turns of data sets without a simulator, have such lines further down.
  /^\s*thought[ \t]?:\s/i,
  /(?:^|\n)[ \t]{0,8}(?:\*{1,2}|#{1,4} )?(?:scenario|user scenario|persona|user persona|instruction|user instructions?|task instructions?)(?:\*{1,2})?[ \t]?:(?:\*{1,2})?\s/i,
  /\b(?:system prompt|user simulat(?:or|ion)|simulated (?:user|customer|conversation)|role-?play(?:ing)? (?:as|the|a)\b|in (?:this|the|our) (?:role-?play|simulation))/i,
  /\byou are (?:now )?(?:playing|acting as|simulating|role-?playing(?: as)?)? ?(?:the (?:role|part) of )?(?:an?|the) (?:\w+ )?(?:user|customer|caller|persuadee|simulated \w+)(?= (?:who|that|interacting|talking|calling|contacting|of|in|simulat|chatting)|[.,:;]|$)/i,
  /\bi(?:'ll| will| am going to|'m going to| should| must| need to)(?: now)? (?:role-?play|act as (?:the|a) (?:user|customer)|play the (?:role|part) of|pretend to be (?:the|a) (?:user|customer)|simulate)\b/i,
  /\b(?:i(?:'ll| will| should| must| need to)|let me) (?:stay|remain) in character\b/i,
  /\b(?:as|like) (?:i was |i am |i've been )?instructed(?: to)?,? i (?:should|will|must|am|need|have|do not|don't|cannot|can't)\b/i,
  /\b(?:according to|based on|per|following|given|as (?:stated|described|specified|mentioned) in) (?:my (?:user )?(?:instructions?|scenario|persona|script|prompt|role)|the (?:scenario|persona|prompt|user instructions?|role description))\b/i,
  /\b(?:my (?:given |user )?(?:instructions?|scenario|persona|prompt|script)|the (?:scenario|persona|prompt|user instructions?)) (?:(?:says?|states?|tells?|specif(?:y|ies)|instructs?|requires?|mentions?)(?= (?:that |me |for me )?(?:i|you|to|not|the|a|an|we|only|my|never|nothing)\b)|(?:does|do)(?:n't| not) (?:say|state|mention|specify|include|provide))\b/i,
  /\b(?:not|isn't|is not) (?:provided|specified|mentioned|included|given) in (?:my|the) (?:instructions?|scenario|persona|prompt)\b/i,
  // People in a study also talk of what its instructions allow; simulators of what theirs demand.
  /\bthe instructions (?:say|state|tell me|specify|require)(?: that)?(?: i| we| you| to| not)? (?:should|must|need|have to|am supposed|are supposed|not to|never|only|do not|don't|are)\b/i,
  /\bgenerate (?:only )?one (?:line|message) at a time\b|\bdo not hallucinate information\b/i,
  /\bas (?:the|a) (?:user|customer|caller) in this (?:scenario|conversation|simulation|dialogue)\b/i,
];

/** What talk of a prompt all but always holds; read first, as most turns hold nothing of it. */
const MAY_LEAK =
  /user|customer|message|reply|response|utterance|output|persona|agent|goal|token|signal|scenario|character|role|thought|thinking|monologue|generate|emit|produce|description|sequence|keyword|marker|single|spoken|\bline\b|^[ \t]{0,8}[[(*]|[<[]/im;

/** Messages that are announced, rules of form, stage directions, talk of tokens, goals and what a persona would do. */
const BACKSTAGE = [
  /(?:^|\n)\W{0,6}(?:(?:here(?:'s| is)|this is|below is) )?(?:the |my |a )?(?:(?:next|likely|simulated|appropriate|user(?:'s|’s)?|customer(?:'s|’s)?) ){1,3}(?:message|reply|response|turn|utterance|output)\W{0,3}:/i,
  /\b(?:respond|reply|answer|output|write|generate|return|produce|print)(?: with)? (?:only|just|nothing but|exactly one)(?: with)?(?: the| a| an| your| one)? (?:user|customer|next|single|utterance|message|reply|response|line|raw|plain|spoken)\b|\bonly (?:output )?the (?:next )?(?:user|customer)(?:'s|’s)? (?:message|utterance|reply|turn|response)\b/i,
  /(?:^|\n)\s{0,8}[[(*](?:(?:if|when|once|after|until) the (?:agent|assistant|representative|other)|the (?:user|customer|persona|simulator) |(?:do not|don't|never) (?:reveal|mention|give|tell|say|share)|say that\b|act (?:as|like)|pretend|think(?:s|ing)?\b(?: to (?:self|myself|itself))?:|thought:|inner (?:thought|voice|monologue)|internal(?:ly)?\b|aside:|persona\b|(?:stage|acting) (?:note|direction))/i,
  /\b(?:scenario|persona|character|role) (?:description|sheet|card|profile|brief)\b|\btask description (?:says?|tells?|states?|instructs?|wants|asks me|requires|(?:does|do)(?: not|n't))\b|\b(?:user|hidden|secret|underlying|simulated|conversation) goal\b|\bgoal of (?:the|this|my) (?:scenario|task|conversation|persona|simulation|role-?play)\b/i,
  /\b(?:stop|termination|end(?:-of-conversation)?|exit) (?:token|signal|sequence|keyword|word|marker)\b|\bi (?:should|will|must|need to|can|have to)(?: now)? (?:generate|output|emit|produce|print|append) /i,
  /\bthis (?:response|reply|message|turn|utterance|answer) (?:stays?|is|keeps?|remains?|reflects?|maintains?|does not|doesn't|avoids?|follows?|shows?|sounds?)\b[^.\n]{0,80}\b(?:persona|character|goal|scenario|instructions?|role|user(?:'s)?|customer(?:'s)?)\b|\bconsistent with (?:the|my|this) (?:persona|character|scenario|role|profile|goal)\b/i,
  /\bthe agent (?:is asking|wants|needs|is requesting|is offering|has offered|is trying)\b[^\n]{0,160}\bi (?:should|need to|must|will now|have to|shouldn't|should not)\b/i,
  /^\s*(?:inner (?:thoughts?|monologue|voice)|internal (?:thoughts?|monologue|state)|private thoughts?|chain of thought|scratch ?pad|my thought process|stage direction|hidden goal|emotional state)\s?:/i,
  /\[(?:ISSUE|PROBLEM|REASON|GOAL|TASK|PRODUCT|ITEM|ITEMS|DETAILS|REQUEST|TOPIC|COMPANY|BRAND|DESTINATION|PLACEHOLDER|INSERT[^\]\n]{0,40})\]|<(?:your|insert|enter)[ _][a-z _]{2,30}>/,
];

/** Slots that nobody filled in. Pages and programs have them too, beside tags and marks of their own. */
const SLOT = /\{\{\s?[a-z][\w.]{1,40}\s?\}\}|\$\{[a-z][\w.]{1,40}\}|\{[a-z]{2,20}(?:[_.][a-z]{2,20}){1,3}\}/i;
const PROGRAM =
  /<\/?[a-z][^>\n]{0,80}>|[;=]\s*$|=>|\(\)|["'=]\s?\{|\b(?:template|render|jinja|f-?string|function|const|def|string|variable|code|format)\b/im;

const LEAKS = [TEMPLATE, ROLE_MARK, ROLE_TAG, ...MACHINERY];
const MARKS = [TEMPLATE, ROLE_TAG];

/** Place of a chat template's mark or a role tag. */
export function templateMark(text: string): { at: number; text: string } | null {
  return firstMatch(text, MARKS);
}

/** The prompt that drives the simulator shows in what it says. */
export const leakedInstructions: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'a user turn shows the machinery of the prompt behind it',
  inspect(episode) {
    for (const { text, turn } of speechOf(episode, 'user')) {
      const match =
        firstMatch(text, LEAKS) ??
        (MAY_LEAK.test(text) ? firstMatch(text, BACKSTAGE) : null) ??
        openSlot(text);
      if (match !== null)
        return finding(NAME, 'simulator', 'the user quotes the prompt behind it', text, turn, match.at);
    }
    return null;
  },
};

function openSlot(text: string): { at: number; text: string } | null {
  return text.includes('{') && !PROGRAM.test(text) ? firstMatch(text, [SLOT]) : null;
}
