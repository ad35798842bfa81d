/* part of: private_data.upc */
int plain_counter;

int plain_next(void)
{
    return ++plain_counter;
}
