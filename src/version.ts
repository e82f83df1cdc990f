/** The package's version, in every report and card (a test holds it to package.json). */
export const VERSION = '0.1.0';
