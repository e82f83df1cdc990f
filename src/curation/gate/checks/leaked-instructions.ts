import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { firstMatch, speechOf } from '../speech.ts';

const NAME = 'leaked-instructions';

/** Marks of chat templates and reasoning blocks: nobody speaks these. */
const TEMPLATE =
  /<\|(?:im_start|im_end|im_sep|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|user|assistant|system|end)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:start|end)_of_turn>|<\/?think(?:ing)?>|<\/?(?:scenario|instructions?|persona|system_prompt|user_profile)>/i;

/** A line that begins with the name of a role, as transcripts have it. */
const ROLE_TAG =
  /(?:^|\n)[ \t]{0,8}(?:\*{1,2}|#{1,4} )?(?:user|human|assistant|ai assistant|agent|customer|system|persuadee|persuader|user response|user simulator|simulated user|customer service agent)(?:\*{1,2})?[ \t]?:(?:\*{1,2})?(?=\s)/i;

const MACHINERY = [
  // Prompts of tools, which stand in user turns of data sets without a simulator, have such lines further down.
  /^\s*thought[ \t]?:\s/i,
  /(?:^|\n)[ \t]{0,8}(?:\*{1,2}|#{1,4} )?(?:scenario|user scenario|persona|user persona|instruction|user instructions?|task instructions?)(?:\*{1,2})?[ \t]?:(?:\*{1,2})?\s/i,
  /\b(?:system prompt|user simulat(?:or|ion)|simulated (?:user|customer|conversation)|role-?play(?:ing)? (?:as|the|a)\b|in (?:this|the|our) (?:role-?play|simulation))/i,
  /\byou are (?:now )?(?:playing|acting as|simulating|role-?playing(?: as)?)? ?(?:the (?:role|part) of )?(?:an?|the) (?:\w+ )?(?:user|customer|caller|persuadee|simulated \w+)(?= (?:who|that|interacting|talking|calling|contacting|of|in|simulat|chatting)|[.,:;]|$)/i,
  /\bi(?:'ll| will| am going to|'m going to| should| must| need to)(?: now)? (?:role-?play|act as (?:the|a) (?:user|customer)|play the (?:role|part) of|pretend to be (?:the|a) (?:user|customer)|simulate)\b/i,
  /\b(?:i(?:'ll| will| should| must| need to)|let me) (?:stay|remain) in character\b/i,
  /\b(?:as|like) (?:i was |i am |i've been )?instructed(?: to)?,? i (?:should|will|must|am|need|have|do not|don't|cannot|can't)\b/i,
  /\b(?:according to|based on|per|following|given|as (?:stated|described|specified|mentioned) in) (?:my (?:user )?(?:instructions?|scenario|persona|script|prompt|role)|the (?:scenario|persona|prompt|user instructions?|role description))\b/i,
  /\b(?:my (?:given |user )?(?:instructions?|scenario|persona|prompt|script)|the (?:scenario|persona|prompt|user instructions?)) (?:says?|states?|tells?|specif(?:y|ies)|instructs?|requires?|mentions?|(?:does|do)(?:n't| not) (?:say|state|mention|specify|include|provide))\b/i,
  /\b(?:not|isn't|is not) (?:provided|specified|mentioned|included|given) in (?:my|the) (?:instructions?|scenario|persona|prompt)\b/i,
  // People in a study also talk of what its instructions allow; simulators of what theirs demand.
  /\bthe instructions (?:say|state|tell me|specify|require)(?: that)?(?: i| we| you| to| not)? (?:should|must|need|have to|am supposed|are supposed|not to|never|only|do not|don't|are)\b/i,
  /\bgenerate (?:only )?one (?:line|message) at a time\b|\bdo not hallucinate information\b/i,
  /\bas (?:the|a) (?:user|customer|caller) in this (?:scenario|conversation|simulation|dialogue)\b/i,
];

const LEAKS = [TEMPLATE, ROLE_TAG, ...MACHINERY];
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
      const match = firstMatch(text, LEAKS);
      if (match !== null)
        return finding(NAME, 'simulator', 'the user quotes the prompt behind it', text, turn, match.at);
    }
    return null;
  },
};
