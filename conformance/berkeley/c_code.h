struct words { int shared, strict, relaxed; };
int other(int shared);
