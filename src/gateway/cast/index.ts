export { answerersOf, Cast } from './cast.ts';
export { Circuits } from './circuits.ts';
export { type DrawFacts, drawMember, keepsGroups, weightsAtGreen } from './draw-member.ts';
export { type EpochNow, GroupMembers, groupKey } from './group-members.ts';
export { memberShares } from './member-shares.ts';
export { type Route, routeNames, routeOf } from './route.ts';
