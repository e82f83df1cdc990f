export { answerersOf, Cast } from './cast.ts';
export { Circuits } from './circuits.ts';
export { type DrawFacts, drawMember, shares } from './draw-member.ts';
export { type Route, routeNames, routeOf } from './route.ts';
