/** What a dialogue can be about. Wordings use pattern.ts's notation; slots are filled per context (context.ts). */
export interface Topic {
  readonly name: string;
  readonly kind: 'service' | 'persuasion';
  /** The user's private instructions. */
  readonly scenario: string;
  /** After "I would like to". */
  readonly want: string;
  /** What it is about, as a noun phrase. */
  readonly thing: string;
  /** Sentences that give what the agent needs. */
  readonly facts: readonly string[];
  readonly reasons: readonly string[];
  readonly worries: readonly string[];
  readonly questions: readonly string[];
  /** The agent's arguments or findings. */
  readonly pitches: readonly string[];
  readonly offers: readonly string[];
  /** Service topics look things up. */
  readonly tool: string | null;
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'flight',
    kind: 'service',
    scenario:
      'You are <name>. You hold booking <code> from <city> to <other> on <date>. You want to cancel it and get your <price> back because <cause>. You (do not remember|know) your user id, <id>. (Do not accept a voucher at first.|A voucher is acceptable.|)',
    want: '(cancel|call off|get out of) (my|the) (flight|trip|booking) (to <other>|from <city> to <other>|on <date>)',
    thing: '(the|my) (flight|booking|reservation)',
    facts: [
      '(My|The) (booking|reservation) (code|number) is <code>.',
      '(It is|The flight is|I fly) (on|the) <date>, <city> to <other>.',
      '(My user id is|User id:) <id>.',
      '(The name on it is|It is booked under) <name>.',
    ],
    reasons: [
      '(My plans have changed|Something came up at work), (so I cannot travel|and the trip makes no sense now).',
      '(My mother|My son|My partner) is (ill|in hospital|unwell) (and I have to stay|so I am staying) (home|here).',
      'The (meeting|wedding|conference) in <other> was (moved|called off|put back).',
    ],
    worries: [
      'I paid <price> for (it|that ticket) and a voucher is (no use|not much use) to me.',
      'The (person|colleague) (on the phone|I spoke to) (told me|said) I (would get|could have) a full refund.',
      'Those (fees|charges) were never (mentioned|shown) when I booked.',
    ],
    questions: [
      '(How much|What part) of the (fare|ticket price) (do I get|comes) back?',
      '(How long does|When will) the refund (take|arrive)?',
      'Is there (any fee|a charge) (for that|to cancel)?',
      'Could I (move it|fly) (to another day|later in the month) instead?',
    ],
    pitches: [
      '(I see|I have found) booking <code>, <city> to <other> on <date>, paid <price>.',
      'This fare (allows|permits) (a travel credit|a voucher), (less|minus) a fee of <fee>.',
      'Bookings (made|bought) within the last day can be (cancelled|refunded) in full.',
    ],
    offers: [
      'I can (cancel it|close the booking) and send (a voucher|travel credit) of <part> (to your account|right away).',
      'Shall I (go ahead|cancel booking <code>) and (credit|return) <part> to your (card|original payment method)?',
      'I could move you to (the next day|a later date) (without a fee|for <fee>).',
    ],
    tool: 'get_reservation',
  },
  {
    name: 'order',
    kind: 'service',
    scenario:
      'You are <name>. Order <code> brought you a <item> that is <fault>. You want (a refund of <price>|a new one|your money back) and it should (not cost you postage|be quick). Your e-mail is <id>@example.org. You ordered it on <date> to <city>.',
    want: '(return|send back|exchange) (the|a) <item> (from order <code>|I bought|that came on <date>)',
    thing: '(the|my) (order|parcel|<item>)',
    facts: [
      '(The order number is|Order|It is order) <code>.',
      '(My e-mail is|You will find it under) <id>@example.org.',
      '(I ordered it|It was delivered) on <date>, to <city>.',
      'It is the <item>, <price>.',
    ],
    reasons: [
      'The <item> (arrived|is|came) <fault>.',
      'It (does not work|stopped working) (after two days|right away|since yesterday).',
      'It is (the wrong size|not what the picture shows|another colour).',
    ],
    worries: [
      'I am not (paying|going to pay) (postage|for shipping) on (something|a thing) you (sent|delivered) <fault>.',
      'The last (one|return) took (a month|three weeks|forever).',
      'I (need|needed) it by the weekend, (a refund does not help|so waiting is no good).',
    ],
    questions: [
      'Do I (have to|need to) pay for (the label|shipping it back)?',
      'Can you (send|ship) a new one (first|before I return it)?',
      'How long (until|before) I (have|see) the money?',
      '(Where|To which address) do I send (it|the <item>)?',
    ],
    pitches: [
      '(I can see|Here is) order <code>: one <item>, <price>, delivered on <date>.',
      'A <fault> item can be (returned|sent back) within thirty days, (free of charge|with a prepaid label).',
      'Our stock shows (two|three|a few) (more|left) of the <item>.',
    ],
    offers: [
      'I can (send|mail) you a (label|return label) and refund <price> (once it is here|on arrival).',
      'Shall I (ship|send) a (new|replacement) <item> to <city>?',
      'Would <part> off (and you keep it|instead of a return) (suit you|be fine)?',
    ],
    tool: 'get_order_details',
  },
  {
    name: 'broadband',
    kind: 'service',
    scenario:
      'You are <name>, in <city>. Your internet line (contract <code>) has been (down|slow|dropping out) since <date>. You want it (fixed|repaired) and <part> off your bill. You have (already restarted the router|not tried anything yet).',
    want: '(report|sort out|get fixed) (a fault on my line|my internet, it keeps dropping|my broadband)',
    thing: '(the|my) (line|internet|connection|router)',
    facts: [
      '(The contract|My customer number) is <code>.',
      'It (started|has been like this) (on|since) <date>.',
      '(I live|The line is) in <city>, under <name>.',
      'The router (light|lamp) is (red|orange|blinking).',
    ],
    reasons: [
      'It (drops|cuts out) (every evening|every few minutes|when it rains).',
      'I (work from home|have calls all day) and (lose|lost) (a day|two days) (of work|already).',
      'The speed is (a tenth|half) of what I pay <price> for.',
    ],
    worries: [
      'I have (already|now) restarted (it|the router) (five|three|ten) times.',
      'You (sent|promised) a technician (last month|before) and (nobody came|nothing changed).',
      'Why (should I|do I) pay <price> a month for (this|nothing)?',
    ],
    questions: [
      'Is there (an outage|a known fault) in <city>?',
      'When (can|could) a technician (come|be here)?',
      'Will (I get|there be) (something|money) off the bill?',
      'Is it (my router|the router) or (your line|the line)?',
    ],
    pitches: [
      'The (test|line check) shows (a weak signal|many errors) on contract <code> since <date>.',
      '(Sometimes|Often) a (reset|new firmware) (helps|solves this); it takes (five|ten) minutes.',
      'A (technician|visit) is free (while|if) the fault is on our side.',
    ],
    offers: [
      'I can (book|send) a technician on <date> (in the morning|after noon).',
      'Shall I (send|post) a new router and take <part> off (this|the next) bill?',
      '(Let us|Could we) (reset|restart) the line now and (look again|see)?',
    ],
    tool: 'run_line_test',
  },
  {
    name: 'card',
    kind: 'service',
    scenario:
      'You are <name>. Your card ending <digits> shows a payment of <price> on <date> in <other> that you did not make. You want it (reversed|paid back) and a new card sent to <city>. Your customer id is <id>.',
    want: '(dispute|get back|question) a (payment|charge) of <price> (on my card|I never made)',
    thing: '(the|my) (card|payment|account)',
    facts: [
      'The card ends in <digits>.',
      '(My customer id is|Customer id) <id>.',
      'The (payment|charge) was on <date>, <price>, in <other>.',
      'I was in <city> (at the time|that day).',
    ],
    reasons: [
      'I (have never been to|was not in) <other> (that day|this year|at all).',
      'I (noticed|saw) it (this morning|in the app|on the statement).',
      '(Nobody else|No one but me) (has|uses) (the|that) card.',
    ],
    worries: [
      'I do not want to (wait|be without the money) (for weeks|until you decide).',
      'If you block it I (cannot|can not) pay (the rent|for anything) (this week|on Friday).',
      'A bank should (see|notice) (that|such a thing) (itself|before I do).',
    ],
    questions: [
      'Will I (get|have) the <price> back (for certain|right away)?',
      'How long (until|before) the new card (comes|is here)?',
      'Do I (have to|need to) (file a report|go to the police)?',
      'Are (other|any more) payments (affected|open)?',
    ],
    pitches: [
      '(I see|There is) one payment of <price> on <date> in <other>, still (open|pending).',
      'While a dispute runs, the amount is (credited|returned) for the time being.',
      'A blocked card (cannot|can not) be opened again; a new one takes (four|five) working days.',
    ],
    offers: [
      'I can (block|stop) the card ending <digits> and (order|send) a new one to <city>.',
      'Shall I (open|file) the dispute and (credit|return) <price> (for now|until it is settled)?',
      '(Would you like|Shall I set) a virtual card (meanwhile|for the time being)?',
    ],
    tool: 'get_transactions',
  },
  {
    name: 'charity',
    kind: 'persuasion',
    scenario:
      'You are <name> from <city>. You have earned <price> for this task. The other side will ask you to give a part of it to a charity for children in <other>. (You have never given before.|You gave once.|You doubt where money goes.) Decide as you would.',
    want: '(hear|find out|know) (what this is about|more about the charity)',
    thing: '(the charity|a donation|this cause)',
    facts: [
      'I (have|get) <price> for this (task|hour).',
      'I (live|am) in <city> and (have two children|live alone|work nights).',
      'I (gave|donated) (once|last year) to (a shelter|the food bank).',
      'I have (never heard|heard a little) of it.',
    ],
    reasons: [
      'Children (should not|must not) (go hungry|suffer) for (a war|what adults do).',
      'Money is (tight|short) (this month|since I lost hours).',
      'I (like|prefer) to give (close to home|here in <city>).',
    ],
    worries: [
      'How do I know (the money|it) (gets|arrives) there?',
      '(Most|Half) of it (pays|goes to) (managers|offices|adverts), (I read|as far as I know).',
      'There are (people|families) in <city> who (need|could use) it (too|more).',
    ],
    questions: [
      'What (do they|does it) do in <other>?',
      'How much (reaches|goes to) the children?',
      '(Can I|Could I) give (later|a smaller amount)?',
      'Do (you|they) (publish|show) where it goes?',
    ],
    pitches: [
      '(Eighty|Ninety) cents of (each|every) (euro|dollar) go (straight|directly) to (food|school|medicine) in <other>.',
      'Last year (they|it) reached (two|three) million children, many (under|below) five.',
      '(Even|Just) <fee> (buys|pays for) (a week of meals|school books for a child).',
    ],
    offers: [
      'Would you (give|donate) <part> of your <price> (today|now)?',
      'Could (you|we) (start|begin) with <fee>?',
      'How (much|large a part) of <price> would you (like to give|feel good about)?',
    ],
    tool: null,
  },
  {
    name: 'cycling',
    kind: 'persuasion',
    scenario:
      'You are <name>. You drive from <city> to work, <digits> hundred metres by the back roads. The other side wants you to go by bike (twice a week|in summer). (You own an old bike.|You have no bike.|Your knee hurts at times.) Answer as you would.',
    want: '(talk|hear) about (getting to work|going by bike)',
    thing: '(cycling|the bike|riding to work)',
    facts: [
      'I (drive|take the car), about (twenty|thirty|fifteen) minutes.',
      'I (own|have) (an old bike|no bike|a bike with a flat tyre).',
      'I (work|start) (early|at six|in shifts) in <city>.',
      'My (knee|back) (hurts|is bad) (at times|in winter).',
    ],
    reasons: [
      'The (roads|streets) (here|in <city>) are (not safe|full of lorries).',
      '(I arrive|Nobody wants to arrive) (sweaty|wet) (at work|in the office).',
      'Petrol (costs|is) (too much|a fortune) (by now|these days).',
    ],
    worries: [
      'And when it (rains|snows)? I (cannot|will not) (sit|work) in wet (clothes|trousers).',
      'A (decent|good) bike is <price>, (that is a lot|who has that).',
      'I (bring|take) the (kids|children) to school (first|on the way).',
    ],
    questions: [
      'Where (do I|would I) (leave|lock) it (at work|all day)?',
      'How (long|much time) does it take (really|on average)?',
      'Is there (money|help) (from the town|for buying one)?',
      'Do (you|you yourself) (ride|cycle) to work?',
    ],
    pitches: [
      'Twenty minutes (a day|of riding) (lower|cut) the risk of heart disease by (a fifth|a quarter).',
      'You (save|would save) about <fee> (a month|each month) on (fuel|petrol and parking).',
      'The new (path|lane) from <city> (keeps|is) clear of the (main road|traffic).',
    ],
    offers: [
      'Would you try (one|a single) day (next week|this week)?',
      'How about (Tuesdays|dry days) (only|to begin with)?',
      'Could you (borrow|rent) a bike for <fee> and (see|judge)?',
    ],
    tool: null,
  },
  {
    name: 'meatless',
    kind: 'persuasion',
    scenario:
      'You are <name>, you cook for (two|four|yourself) in <city>. The other side wants you to go without meat (two|three) days a week. You (like a roast on Sunday|eat sausage every day|eat little meat). Answer as you would.',
    want: '(talk|hear) about (food|what I eat|eating less meat)',
    thing: '(meat|going without meat|the menu)',
    facts: [
      'I cook for (two|four|myself), (mostly|often) (in a hurry|after work).',
      'We eat meat (every day|four times a week|on Sundays).',
      'My (husband|wife|father) (hunts|is a butcher|will not eat beans).',
      'I spend (about|around) <price> a week on food.',
    ],
    reasons: [
      '(Beans|Lentils) (do not fill|never fill) (me|anyone) (after work|for long).',
      '(Meat|Good meat) has (become|got) (dear|expensive).',
      'My (doctor|sister) (says|told me) (less|red meat) (is better|is bad for me).',
    ],
    worries: [
      'Where does the (protein|iron) come from (then|otherwise)?',
      'The (children|kids) (leave|refuse) (it|vegetables) on the plate.',
      'One (person|household) changes (nothing|little) (for the climate|anyway).',
    ],
    questions: [
      'What (would|do) you cook (on such a day|instead)?',
      'Is fish (fine|allowed|meat too)?',
      'Does it (really|truly) (help|matter) that much?',
      'How (did|do) others (manage|start)?',
    ],
    pitches: [
      'Beef (makes|causes) about (ten|twenty) times the gas of (beans|lentils) per gram of protein.',
      '(A chilli|A curry) with beans costs (half|a third) and (keeps|lasts) for two days.',
      '(Two|Three) days a week (cut|lower) (the bill|your food bill) by about <fee>.',
    ],
    offers: [
      'Would you try (Mondays|one day) (first|for a month)?',
      'How about (two|three) recipes (to start|I send you)?',
      'Could you (swap|change) (lunch|just lunch) (on work days|twice a week)?',
    ],
    tool: null,
  },
  {
    name: 'first-aid',
    kind: 'persuasion',
    scenario:
      'You are <name> in <city>. The other side wants you to join a first-aid course on <date>. It costs <fee> and a Saturday. (You fear blood.|You did one years ago.|You have small children.) Answer as you would.',
    want: '(hear|know) (about the course|what the course is)',
    thing: '(the course|first aid|that Saturday)',
    facts: [
      'I (did|took) one (years ago|for my licence|at school).',
      'I (have|look after) (small children|my old father).',
      'I (work|am free) (on most Saturdays|on <date>).',
      'I (faint|feel sick) when I see blood.',
    ],
    reasons: [
      'A (neighbour|colleague) (fell|collapsed) (last year|in front of me) and I (just stood there|did not know what to do).',
      '(Saturday|The weekend) is (the only day|all) I have with the (family|kids).',
      '<fee> is (fine|not the problem|a lot for me).',
    ],
    worries: [
      'And if I (do it|press) wrong and (hurt|harm) (someone|them)?',
      'I (forgot|have forgotten) (all of it|everything) (within a month|last time).',
      'The ambulance is here in (ten|eight) minutes (anyway|as it is).',
    ],
    questions: [
      'How (long|many hours) (is it|does it take)?',
      'Do (I|we) (get|have) a certificate?',
      'Is (it|the course) (hands-on|practical) or (slides|talk)?',
      'Can I (bring|take) my (daughter|neighbour)?',
    ],
    pitches: [
      'After (five|four) minutes without help the brain (suffers|is harmed); help (often|mostly) takes (eight|ten).',
      '(You|One) cannot do much wrong: (doing nothing|waiting) is the (only|worst) mistake.',
      'The course (is|runs) (small|in small groups), (mostly|nearly all) practice.',
    ],
    offers: [
      'Shall I (put you down|keep a place) for <date>?',
      'Would (an evening|two evenings) (suit|fit) you (better|more)?',
      'Could you (come|join) for the morning (only|and see)?',
    ],
    tool: null,
  },
];
