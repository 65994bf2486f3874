/** Puts what a browser loads of the dashboard into a folder. */
export function buildDashboard(folder: string): Promise<void>;
