export { answerersOf, Cast } from './cast.ts';
export { type DrawFacts, drawMember, shares } from './draw-member.ts';
export { type Route, routeNames, routeOf } from './route.ts';
