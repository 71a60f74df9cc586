"""What everything here is measured with: generated texts, vectors and logs, chats, and databases filled with them."""
