"""What everything here is measured with: made-up texts, vectors and logs, chats, and databases filled with them."""
