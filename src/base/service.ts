/** The one lifecycle of everything that runs: started once, stopped at any moment, stopped again without harm. */
export interface Service extends AsyncDisposable {
  start(): Promise<void>;
  stop(): Promise<void>;
}
