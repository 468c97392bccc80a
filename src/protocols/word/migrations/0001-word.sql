-- What MS-WORDSSP and MS-WORDSSP2 keep besides (MS-WORDSSP 3.1.1, MS-WORDSSP2 3.2.1).

-- The three parts of the user's token: all NULL or none.
alter table jobs add column user_token_header blob;
alter table jobs add column user_token_sid blob;
alter table jobs add column user_token_groups blob;

-- Set and never shown (MS-WORDSSP 3.1.5.1).
alter table items add column reserved blob;
